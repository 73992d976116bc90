/**
 * Which moves of a game were mistakes, by what the computer thinks of the positions before and after them.
 *
 * Pure. A move is marked by how much of the evaluation bar its side lost: 8 hundredths are an inaccuracy, 14 a mistake, 20 a
 * blunder. So a pawn weighs more in an even game than in one that is won anyway. The computer's
 * own best move is never marked: what it costs by the next search is the searches' disagreement.
 */
import type { Evaluation } from "#protocol";
import { type Game, startTurn } from "zeitnot-client";
import { type Color, other } from "../../chess/square";
import { shareOf } from "./worth";

export type Mark = "?!" | "?" | "??";
export const MARKS: readonly Mark[] = ["?!", "?", "??"];

/** By ply: what is known of the position after so many plies. */
export type Evaluations = Readonly<Record<number, Evaluation>>;

/** From so large a loss on, as a part of the bar; the greatest first. */
const LOSSES: readonly (readonly [number, Mark])[] = [
  [0.2, "??"],
  [0.14, "?"],
  [0.08, "?!"],
];

export interface MarkedMove {
  readonly ply: number;
  readonly color: Color;
  readonly mark: Mark;
}

/** The moves to mark, as far as both positions around a move are known. */
export function mistakesIn(game: Game, known: Evaluations): readonly MarkedMove[] {
  const first = startTurn(game);
  return game.plies.flatMap(({ ply, uci }) => {
    const color = ply % 2 === 1 ? first : other(first);
    const mark = markOf(known[ply - 1], known[ply], color, uci);
    return mark === null ? [] : [{ ply, color, mark }];
  });
}

function markOf(before: Evaluation | undefined, after: Evaluation | undefined, by: Color, uci: string): Mark | null {
  if (!before || !after || before.line[0]?.uci === uci) return null;
  const lost = (shareOf(before) - shareOf(after)) * (by === "white" ? 1 : -1);
  return LOSSES.find(([least]) => lost >= least)?.[1] ?? null;
}

/** The best move in the place of a marked one, in SAN, as far as it is known. */
export function bestInstead({ ply }: MarkedMove, known: Evaluations): string | null {
  return known[ply - 1]?.line[0]?.san ?? null;
}

/** How many of each mark a side has, in the order of `MARKS`. */
export function countsOf(moves: readonly MarkedMove[], color: Color): readonly number[] {
  return MARKS.map((mark) => moves.filter((move) => move.color === color && move.mark === mark).length);
}
