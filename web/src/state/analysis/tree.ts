/**
 * The moves of an analysis as a tree: the main line, and side lines wherever another move was looked at.
 *
 * Pure, and unchangeable: each change makes a new tree. A place in it is the moves in UCI that lead there. Of the moves
 * that follow a place, the first one is the main line's. A line that the server has shown, and what was added to it, stays
 * apart from what was played: it comes after the other choices. Knows no rules: only moves that the server has named come in,
 * or moves of its list, whose SAN follows with its answer.
 */
import type { Pgn, PgnLine, PgnMove, PgnNote } from "../../chess/pgn";

export interface Node {
  readonly uci: string;
  /** Null until the server has named the move. */
  readonly san: string | null;
  /** Whether the server has shown it, or it follows such a move; so all that follows it is too. */
  readonly isShown: boolean;
  /** Of a move that follows a shown one: whether a person has added it. */
  readonly isAdded?: true;
  /** Whether it is of a shown line in which both sides work for the mate. */
  readonly isHelp?: true;
  /** What a PGN has noted of it. */
  readonly note?: PgnNote;
  readonly next: Tree;
}

/** The moves that can follow a place, the main line's first. */
export type Tree = readonly Node[];
/** Moves in UCI from the first position on. */
export type Path = readonly string[];

export interface NamedMove {
  readonly uci: string;
  readonly san: string;
}

/** The nodes on a path; shorter than the path if it leaves the tree. */
export function nodesOn(tree: Tree, path: Path): readonly Node[] {
  const found: Node[] = [];
  let at = tree;
  for (const uci of path) {
    const node = at.find((one) => one.uci === uci);
    if (!node) break;
    found.push(node);
    at = node.next;
  }
  return found;
}

/** The moves that are known after a place. */
export function nextOf(tree: Tree, path: Path): Tree {
  return path.length === 0 ? tree : (nodesOn(tree, path)[path.length - 1]?.next ?? []);
}

/** A move on its way into a tree, with or without its name, what is noted of it, and whether it is of a line of both sides. */
export type NewMove = (NamedMove | { readonly uci: string }) & { readonly note?: PgnNote; readonly isHelp?: true };

/**
 * The tree in which these moves are a line from the first position on; what was not there is added as the last choice,
 * but before what was shown.
 */
export function withLine(tree: Tree, moves: readonly NewMove[], isShown = false, isAfterShown = false): Tree {
  const [first, ...rest] = moves;
  if (!first) return tree;
  const known = tree.find((one) => one.uci === first.uci);
  const san = "san" in first ? first.san : (known?.san ?? null);
  const isOfShown = known?.isShown ?? (isShown || isAfterShown);
  const isAdded = known ? known.isAdded : isAfterShown && !isShown;
  const next = withLine(known?.next ?? [], rest, isShown, isOfShown);
  const note = first.note ?? known?.note;
  const isHelp = known ? known.isHelp : first.isHelp;
  if (known && known.san === san && known.note === note && known.next === next) return tree;
  const node = {
    uci: first.uci,
    san,
    isShown: isOfShown,
    ...(isAdded && { isAdded }),
    ...(isHelp && { isHelp }),
    ...(note && { note }),
    next,
  };
  if (known) return tree.map((one) => (one === known ? node : one));
  const last = isOfShown ? tree.length : tree.filter((one) => !one.isShown).length;
  return [...tree.slice(0, last), node, ...tree.slice(last)];
}

/** The tree with the names of these moves, as far as it has them. */
export function withNames(tree: Tree, [first, ...rest]: readonly NamedMove[]): Tree {
  const known = first && tree.find((one) => one.uci === first.uci);
  if (!known) return tree;
  const next = withNames(known.next, rest);
  if (known.san === first.san && known.next === next) return tree;
  return tree.map((one) => (one === known ? { ...one, san: first.san, next } : one));
}

/** The tree without the last move of a path and all that follows it. */
export function without(tree: Tree, path: Path): Tree {
  return changeLast(tree, path, (choices, uci) => choices.filter((one) => one.uci !== uci));
}

/** The tree in which the line through a place is preferred where it leaves a better one for the last time. */
export function promoted(tree: Tree, path: Path): Tree {
  const depth = lastFork(tree, path);
  return depth === null ? tree : changeLast(tree, path.slice(0, depth + 1), firstOf);
}

function firstOf(choices: Tree, uci: string): Tree {
  const chosen = choices.find((one) => one.uci === uci);
  return chosen ? [chosen, ...choices.filter((one) => one !== chosen)] : choices;
}

function changeLast(tree: Tree, path: Path, change: (choices: Tree, uci: string) => Tree): Tree {
  const [uci, ...rest] = path;
  if (uci === undefined) return tree;
  if (rest.length === 0) return change(tree, uci);
  return tree.map((one) => (one.uci === uci ? { ...one, next: changeLast(one.next, rest, change) } : one));
}

/** The index of the last move of a path that is not the main choice; null on the main line. */
function lastFork(tree: Tree, path: Path): number | null {
  let at = tree;
  let found: number | null = null;
  path.forEach((uci, depth) => {
    const index = at.findIndex((one) => one.uci === uci);
    if (index > 0) found = depth;
    at = at[index]?.next ?? [];
  });
  return found;
}

/** Whether the line through a place can be preferred: it is not the main one, nor a shown line beside another. */
export function canPromote(tree: Tree, path: Path): boolean {
  const depth = lastFork(tree, path);
  if (depth === null) return false;
  const [main] = nextOf(tree, path.slice(0, depth));
  return main?.isShown === nodesOn(tree, path)[depth]?.isShown;
}

/** The place at the end of the line through a place: a line that was played ends where a shown one begins. */
export function endOf(tree: Tree, path: Path): Path {
  const end = [...path];
  let at = nextOf(tree, path);
  const isShown = at[0]?.isShown;
  for (let node = at[0]; node && node.isShown === isShown; node = at[0]) {
    end.push(node.uci);
    at = node.next;
  }
  return end;
}

/** Whether a path begins with another one, or is that one. */
export function beginsWith(path: Path, start: Path): boolean {
  return start.length <= path.length && start.every((uci, at) => uci === path[at]);
}

/** Whether a move is one of the server's own: it has shown it, and nobody has added it. */
export const isServers = ({ isShown, isAdded }: Node): boolean => isShown && isAdded === undefined;

/** One move on, along the main choice. */
export function forward(tree: Tree, path: Path): Path {
  const [node] = nextOf(tree, path);
  return node ? [...path, node.uci] : path;
}

/** Another choice in the place of the last move: the one before or after it in the order of the tree. */
export function sibling(tree: Tree, path: Path, by: 1 | -1): Path {
  const before = path.slice(0, -1);
  const choices = nextOf(tree, before);
  const index = choices.findIndex((one) => one.uci === path.at(-1));
  const other = choices[index + by];
  return index < 0 || !other ? path : [...before, other.uci];
}

/** How many moves a tree holds. */
export function sizeOf(tree: Tree): number {
  return tree.reduce((sum, node) => sum + 1 + sizeOf(node.next), 0);
}

/** The tree in which a line is preferred wherever it has another beside it. */
export function withMain(tree: Tree, [first, ...rest]: Path): Tree {
  const known = first === undefined ? undefined : tree.find((one) => one.uci === first);
  if (!known) return tree;
  const next = withMain(known.next, rest);
  return [{ ...known, next }, ...tree.filter((one) => one !== known)];
}

/**
 * The lines of a tree as PGN has them. A move without a name is written in UCI. A line that was shown after the last move
 * is left out: in PGN it could only be more of that line. What was tried out after the end of a game, `end`, is a variation
 * of its last move which begins with that move: the game itself ends there.
 */
export function linesOf(
  tree: Tree,
  noteOf: (path: Path) => PgnNote = () => ({}),
  before: Path = [],
  end: Path | null = null,
): PgnLine {
  const line: PgnMove[] = [];
  let played = false;
  let path = before;
  for (let choices = tree; choices[0]; choices = choices[0].next) {
    const [main, ...others] = choices;
    if (main.isShown && played) break;
    const at = path;
    const variations = others.map((other) => {
      const first = [...at, other.uci];
      return [
        { san: nameOf(other), ...noteWith(other.note, noteOf(first)), variations: [] },
        ...linesOf(other.next, noteOf, first),
      ];
    });
    played ||= !main.isShown;
    path = [...at, main.uci];
    const isEnd = end !== null && path.length === end.length && beginsWith(path, end);
    const after = isEnd ? main.next.filter(({ isShown }) => !isShown) : [];
    if (after.length > 0) variations.push([{ san: nameOf(main), variations: [] }, ...linesOf(after, noteOf, path)]);
    line.push({ san: nameOf(main), ...noteWith(main.note, noteOf(path)), variations });
    if (isEnd) break;
  }
  return line;
}

const nameOf = ({ san, uci }: Node): string => san ?? uci;

/** The glyphs of which a move has one. */
const OF_MOVE = /^\$[1-6]$/u;
const EVALUATION = /\[%(?:eval|best)\s[^\]]*\]\s*/gu;

/**
 * What is noted, with more: that comes first, and what it says of the move and of what the position is worth stands in the place
 * of what was said before.
 */
export function noteWith(old: PgnNote = {}, more: PgnNote = {}): PgnNote {
  const kept = (old.glyph?.split(" ") ?? []).filter((one) => more.glyph === undefined || !OF_MOVE.test(one));
  const glyph = [more.glyph, ...kept].filter(Boolean).join(" ");
  const said = more.comment === undefined ? old.comment : old.comment?.replace(EVALUATION, "").trim();
  const comment = [more.comment, said].filter(Boolean).join(" ");
  return { ...(glyph && { glyph }), ...(comment && { comment }) };
}

/** What a PGN notes of a move; undefined if that is nothing. */
function noteOn({ glyph, comment }: PgnMove): PgnNote | undefined {
  if (glyph === undefined && comment === undefined) return undefined;
  return { ...(glyph === undefined ? {} : { glyph }), ...(comment === undefined ? {} : { comment }) };
}

/** What the server answers about a line: its moves by name, or which of them, from 1, cannot be played. */
export type NamedLine = readonly NamedMove[] | { readonly ply: number } | { readonly failed: true };

/** Why a PGN could not be played: the moves before the one that is at fault, and that one as it was written. */
export interface NotPlayed {
  readonly before: Path;
  readonly san: string;
}

/**
 * The tree of a PGN. `name` asks for the names of moves, in UCI or SAN, from the first position on; each line is asked
 * for once.
 */
export async function treeOf(
  pgn: Pgn,
  name: (moves: readonly string[]) => Promise<NamedLine>,
): Promise<Tree | NotPlayed | "failed"> {
  let tree: Tree = [];
  const waiting: { readonly before: Path; readonly line: PgnLine }[] = [{ before: [], line: pgn.moves }];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { before, line } = next;
    const named = await name([...before, ...line.map(({ san }) => san)]);
    if ("failed" in named) return "failed";
    if ("ply" in named) {
      const index = named.ply - 1 - before.length;
      const good = await name([...before, ...line.slice(0, index).map(({ san }) => san)]);
      const path = Array.isArray(good) ? good.map(({ uci }: NamedMove) => uci) : before;
      return { before: path, san: line[index]?.san ?? "" };
    }
    const notes = [...before.map(() => undefined), ...line.map(noteOn)];
    tree = withLine(
      tree,
      named.map((move, at) => ({ ...move, ...(notes[at] && { note: notes[at] }) })),
    );
    line.forEach(({ variations }, index) => {
      const path = named.slice(0, before.length + index).map(({ uci }) => uci);
      for (const variation of variations) if (variation.length) waiting.push({ before: path, line: variation });
    });
  }
  return tree;
}
