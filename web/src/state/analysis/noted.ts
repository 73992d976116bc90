/**
 * What a PGN notes of the moves of its game: evaluations, clocks and marks, in the spelling of this page, of lichess.org and
 * of chess.com. The charts, the marks and the table of mistakes show it as they show what the computer thinks of a game here.
 *
 * Pure. The notes of variations and what is said in words stay in the tree. What cannot be read is left out.
 */
import type { Evaluation, GameId, PlyView, TimeControl } from "#protocol";
import type { PgnNote } from "../../chess/pgn";
import { writeFen } from "../../chess/position";
import type { Color } from "../../chess/square";
import { routeOf } from "../route";
import { type Analysis, positionsOn } from "./analysis";
import { type Evaluations, type Mark, type MarkedMove, markedIn, mistakesIn } from "./mistakes";
import { MARK_GLYPHS } from "./notes";
import { type GameMoves, sideOf } from "./times";
import { type Node, type Path, endOf, nodesOn } from "./tree";

export interface Noted {
  readonly moves: GameMoves;
  readonly known: Evaluations;
  readonly mistakes: readonly MarkedMove[];
}

/** Of an analysis that was just loaded; null if nothing is noted that could be shown. */
export function notedIn(analysis: Analysis): Noted | null {
  const path = mainOf(analysis);
  const nodes = nodesOn(analysis.tree, path);
  const moves = movesIn(analysis);
  const known = evaluationsOf(analysis.comment, nodes, positionsOn({ start: analysis.start, path }).map(writeFen));
  const marks = new Map(
    nodes.flatMap(({ note }, at): [number, Mark][] => {
      const mark = markIn(note);
      return mark ? [[at + 1, mark]] : [];
    }),
  );
  const isTimed = moves.plies.some(({ took }) => took !== null);
  if (Object.keys(known).length === 0 && marks.size === 0 && !isTimed) return null;
  return { moves, known, mistakes: marks.size > 0 ? markedIn(moves, known, marks) : mistakesIn(moves, known) };
}

/** The moves of a PGN's game, with the times that it notes. */
export function movesIn(analysis: Analysis): GameMoves {
  const nodes = nodesOn(analysis.tree, mainOf(analysis));
  const control = controlOf(analysis.headers.TimeControl ?? "");
  const plies = pliesOf(nodes, control, analysis.start);
  return { startFen: analysis.start, plies, plyCount: nodes.length, control, clocks: null };
}

const mainOf = ({ played, tree }: Analysis): Path => played ?? endOf(tree, []);

/** Whether a move is marked as a mistake, and as which; null if not. */
export function markIn(note: PgnNote | undefined): Mark | null {
  const glyphs = note?.glyph?.split(" ") ?? [];
  return MARK_GLYPHS.find(([, glyph]) => glyphs.includes(glyph))?.[0] ?? null;
}

/** What else a glyph can say of a move and of the position after it, by its number in the PGN standard. */
const SIGNS = {
  $1: "!",
  $3: "!!",
  $5: "!?",
  $10: "=",
  $13: "∞",
  $14: "+=",
  $15: "=+",
  $16: "±",
  $17: "∓",
  $18: "+−",
  $19: "−+",
} as const;

export type Sign = (typeof SIGNS)[keyof typeof SIGNS];

/** What a PGN says of a move beside marking it as a mistake. */
export function signsIn(note: PgnNote | undefined): readonly Sign[] {
  const glyphs = note?.glyph?.split(" ") ?? [];
  return Object.entries(SIGNS).flatMap(([glyph, sign]) => (glyphs.includes(glyph) ? [sign] : []));
}

/** What a comment says to a reader: all but its commands; empty if that is nothing. */
export function wordsIn(comment: string | undefined): string {
  return (comment ?? "")
    .replace(/\[%[^\]]*\]/gu, " ")
    .replace(/\s+/gu, " ")
    .trim();
}

/** In pawns for White, or in how many moves there is a checkmate, with or without the depth: `0.35`, `#-3`, `0.35,20`. */
const EVAL = /\[%eval\s+(?:#([+-]?\d{1,3})|([+-]?\d{1,4}(?:\.\d+)?))(?:,(\d{1,3}))?\s*\]/u;
/** In SAN, as this page writes it. */
const BEST = /\[%best\s+(\S+)\s*\]/u;

/** By ply, the first position's too. Of the computer's own moves only those are known that were played. */
function evaluationsOf(first: string | undefined, nodes: readonly Node[], fens: readonly string[]): Evaluations {
  const found = fens.flatMap((fen, ply): [number, Evaluation][] => {
    const [last, next] = [nodes[ply - 1], nodes[ply]];
    const comment = (ply === 0 ? first : last?.note?.comment) ?? "";
    const isMate = last?.san?.endsWith("#") ?? false;
    const [all, mate, pawns, depth = "0"] = EVAL.exec(comment) ?? [];
    if (!isMate && all === undefined) return [];
    const score = isMate
      ? { centipawns: null, mate: 0 }
      : mate === undefined
        ? { centipawns: Math.round(Number(pawns) * 100), mate: null }
        : { centipawns: null, mate: Number(mate) };
    const isBest = next !== undefined && next.san === BEST.exec(comment)?.[1];
    const line = isBest ? [{ uci: next.uci, san: next.san ?? next.uci }] : [];
    return [[ply, { game: "", ply, fen, ...score, depth: Number(depth), line }]];
  });
  // A checkmate alone is no evaluation of a game.
  return found.some(([, { mate }]) => mate !== 0) ? Object.fromEntries(found) : {};
}

/** Base time and increment in seconds, `300+3`; of several periods the first. */
function controlOf(tag: string): TimeControl {
  const [all, base, increment = "0"] = /^(?:\d+\/)?(\d{1,7})(?:\+(\d{1,5}))?/u.exec(tag) ?? [];
  if (all === undefined) return { kind: "unlimited" };
  return { kind: "clock", periods: [{ base_ms: Number(base) * 1_000, increment_ms: Number(increment) * 1_000 }] };
}

/**
 * The moves with their clocks; what a move took is noted, or follows from its side's clocks before and after it. Where a
 * clock does not run in a side's first turn, here and at lichess.org, it shows the base time after that: then it does not say.
 */
function pliesOf(nodes: readonly Node[], control: TimeControl, startFen: string): readonly PlyView[] {
  const [period] = control.kind === "clock" ? control.periods : [];
  const base = period?.base_ms ?? null;
  const clocks: Record<Color, number | null> = { white: base, black: base };
  return nodes.map(({ uci, san, note }, at) => {
    const side = sideOf({ startFen }, at + 1);
    const [before, after] = [clocks[side], timeIn(note, "clk")];
    clocks[side] = after ?? before;
    const isFree = at < 2 && before === after;
    const passed =
      before === null || after === null || isFree ? null : Math.max(0, before + (period?.increment_ms ?? 0) - after);
    return {
      ply: at + 1,
      uci,
      san: san ?? uci,
      white_ms: clocks.white,
      black_ms: clocks.black,
      took: timeIn(note, "emt") ?? tenthsIn(note) ?? passed,
      credit: null,
    };
  });
}

/** `[%clk 0:05:02.8]`: what the clock showed after the move; `[%emt …]`: what the move took. In ms. */
function timeIn(note: PgnNote | undefined, command: "clk" | "emt"): number | null {
  const [, hours, minutes, seconds] =
    new RegExp(`\\[%${command}\\s+(?:(\\d+):)?(\\d+):(\\d+(?:\\.\\d+)?)\\s*\\]`, "u").exec(note?.comment ?? "") ?? [];
  if (seconds === undefined) return null;
  return Math.round((Number(hours ?? 0) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000);
}

/** What the move took, as chess.com writes it, in tenths of a second: `[%timestamp 31]`. In ms. */
function tenthsIn(note: PgnNote | undefined): number | null {
  const tenths = /\[%timestamp\s+(\d{1,8})\s*\]/u.exec(note?.comment ?? "")?.[1];
  return tenths === undefined ? null : Number(tenths) * 100;
}

/**
 * The game of this site that the tags of a PGN name: by its address at `origin`, or as the server writes it, which does not
 * know by which name it is reached. Null if they name none.
 */
export function gameNamedBy({ Site = "" }: Analysis["headers"], origin: string): GameId | null {
  const site = [origin, "zeitnot"].find((one) => Site.startsWith(`${one}/`));
  const route = site === undefined ? null : routeOf(Site.slice(site.length));
  return route?.at === "game" ? route.id : null;
}
