/** What is known of the best lines in positions of a game, how they are written, and whether deeper ones are to be had. Pure. */
import type { BestLine, Evaluation } from "#protocol";
import { type Position, moveNumber } from "../../chess/position";
import { other } from "../../chess/square";

/** How long a search goes on: a second, or as long as the server searches at all. */
export type Effort = "usual" | "deeper";

/** Lines, and how long was searched for them. */
export interface FoundLines {
  readonly effort: Effort;
  readonly lines: readonly BestLine[];
}

/** Those of the game with this key, by `keyOf` the place. */
export interface KnownLines {
  readonly of: string | null;
  readonly found: Readonly<Record<string, FoundLines>>;
}

/** With the lines of one more position; of another game nothing is kept. */
export function withLines(known: KnownLines, game: string, key: string, found: FoundLines): KnownLines {
  return { of: game, found: { ...(known.of === game ? known.found : {}), [key]: found } };
}

/** How many lines the server compares. */
const LINES = 3;

/** How many lines a search will find that is under way: no more than there are legal moves, as far as these are known. */
export function awaitedOf(found: number, isOver: boolean, legal: number | null): number {
  return isOver ? 0 : Math.max(0, Math.min(LINES, legal ?? LINES) - found);
}

/** Whether a deeper search can be asked for, is under way, or was the deepest; null where it would find nothing. */
export type Deeper = "possible" | "searching" | "deepest" | null;

export function deeperOf(found: FoundLines | null, isWanted: boolean): Deeper {
  // A checkmate that is found stays one.
  if (found === null || found.lines.every(({ mate }) => mate !== null)) return null;
  if (found.effort === "deeper") return "deepest";
  return isWanted ? "searching" : "possible";
}

/** An evaluation with what the longer search found, once that is known. */
export function deepened(
  evaluation: Evaluation | undefined,
  lines: readonly BestLine[] | null,
): Evaluation | undefined {
  const best = lines?.[0];
  if (!evaluation || !best) return evaluation;
  const { centipawns, mate, depth, moves } = best;
  return { ...evaluation, centipawns, mate, depth, line: moves };
}

/** Joins letters between which a line could break, as after a hyphen. */
const JOINER = "\u2060";

/** Moves that follow a position, with their numbers: `11… Nbd7`, `12. O-O-O`. No line breaks within a move, nor after its number. */
export function numbered(from: Pick<Position, "fullmove" | "turn">, moves: readonly string[]): readonly string[] {
  let at = from;
  return moves.map((move, index) => {
    const number = index === 0 || at.turn === "white" ? `${moveNumber(at)}\u00a0` : "";
    at = { fullmove: at.fullmove + (at.turn === "black" ? 1 : 0), turn: other(at.turn) };
    return number + move.replaceAll("-", `${JOINER}-${JOINER}`);
  });
}
