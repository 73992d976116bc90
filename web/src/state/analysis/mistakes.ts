/**
 * Which moves of a game were mistakes, by what the computer thinks of the positions before and after them.
 *
 * Pure. A move is marked by how much of the evaluation bar its side lost: 5 hundredths are an inaccuracy, 10 a mistake, 15 a
 * blunder, as at lichess.org. So a pawn weighs more in an even game than in one that is won anyway. The computer's own
 * best move is never marked: what it costs by the next search is the searches' disagreement, in an even position usually less
 * than an inaccuracy. The worst move is the marked one that lost most of the bar; of equal ones the first.
 *
 * What a side loses per move is the average, over its moves whose two positions are known, of how much worse the position
 * after the move is for it than the one before, in hundredths of a pawn. Nothing is worth more than ten pawns, a checkmate
 * neither; a move that looks better afterwards, and the computer's own best one, lose nothing.
 *
 * A move that loses nothing is 100 % accurate, and each 16 hundredths of the bar that it loses halve that. The accuracy of a
 * side is halfway between the average of its moves' and their harmonic mean, in which bad moves weigh more.
 */
import type { Evaluation } from "#protocol";
import type { Color } from "../../chess/square";
import { type GameMoves, sideOf } from "./times";
import { shareOf } from "./worth";

export type Mark = "?!" | "?" | "??";
export const MARKS: readonly Mark[] = ["?!", "?", "??"];

/** By ply: what is known of the position after so many plies. */
export type Evaluations = Readonly<Record<number, Evaluation>>;

/** From so large a loss on, as a part of the bar; the greatest first. */
const LOSSES: readonly (readonly [number, Mark])[] = [
  [0.15, "??"],
  [0.1, "?"],
  [0.05, "?!"],
];

export interface MarkedMove {
  readonly ply: number;
  readonly color: Color;
  readonly mark: Mark;
  /** How much of the bar its side lost, 0 to 1; where that is not known, the least that its mark stands for. */
  readonly lost: number;
  /** What is known of the positions before and after it: of a move that a PGN marks it may be nothing. */
  readonly before: Evaluation | null;
  readonly after: Evaluation | null;
}

type Played = Pick<GameMoves, "startFen" | "plies">;

/** The moves to mark, as far as both positions around a move are known. */
export function mistakesIn(game: Played, known: Evaluations): readonly MarkedMove[] {
  return game.plies.flatMap(({ ply, uci }) => {
    const color = sideOf(game, ply);
    const [before, after] = [known[ply - 1], known[ply]];
    if (!before || !after || before.line[0]?.uci === uci) return [];
    const lost = lossOf(before, after, color);
    const mark = LOSSES.find(([least]) => lost >= least)?.[1];
    return mark ? [{ ply, color, mark, lost, before, after }] : [];
  });
}

/** The moves that somebody else has marked; `marks` by ply. */
export function markedIn(game: Played, known: Evaluations, marks: ReadonlyMap<number, Mark>): readonly MarkedMove[] {
  return [...marks].map(([ply, mark]) => {
    const color = sideOf(game, ply);
    const [before, after] = [known[ply - 1] ?? null, known[ply] ?? null];
    const least = LOSSES.find(([, one]) => one === mark)?.[0] ?? 0;
    return { ply, color, mark, lost: before && after ? lossOf(before, after, color) : least, before, after };
  });
}

/** How much of the bar a side has lost between two positions. */
function lossOf(before: Evaluation, after: Evaluation, color: Color): number {
  return (shareOf(before) - shareOf(after)) * (color === "white" ? 1 : -1);
}

/** The best move in the place of a marked one, as far as it is known. */
export function bestInstead({ before }: MarkedMove): Evaluation["line"][number] | null {
  return before?.line[0] ?? null;
}

/** The mistake that cost most; null without one. */
export function worstOf(moves: readonly MarkedMove[]): MarkedMove | null {
  return moves.reduce<MarkedMove | null>((worst, move) => (worst && worst.lost >= move.lost ? worst : move), null);
}

/** How many of each mark a side has, in the order of `MARKS`. */
export function countsOf(moves: readonly MarkedMove[], color: Color): readonly number[] {
  return MARKS.map((mark) => moves.filter((move) => move.color === color && move.mark === mark).length);
}

/** So much of the bar halves the accuracy of the move that loses it. */
const HALVES = 0.16;

/** How accurate a side's moves were, in per cent; null before anything is known. */
export function accuracyOf(game: Played, known: Evaluations, color: Color): number | null {
  const count = (before: Evaluation, after: Evaluation): number =>
    100 * 2 ** (-Math.max(0, lossOf(before, after, color)) / HALVES);
  const each = eachOf(game, known, color, count, 100);
  const [average, inverse] = [averageOf(each), averageOf(each.map((one) => 1 / one))];
  return average === null || inverse === null ? null : (average + 1 / inverse) / 2;
}

/** Beyond ten pawns a game is decided, and more of them would hide all other moves of a side. */
const WORTH_MOST = 1_000;

/** What a side lost per move on average, in hundredths of a pawn; null before anything is known. */
export function averageLoss(game: Played, known: Evaluations, color: Color): number | null {
  const sign = color === "white" ? 1 : -1;
  const count = (before: Evaluation, after: Evaluation): number =>
    Math.max(0, (centipawnsOf(before) - centipawnsOf(after)) * sign);
  return averageOf(eachOf(game, known, color, count, 0));
}

/** What counts of each move of a side whose two positions are known; of the computer's own best move it is `best`. */
function eachOf(
  game: Played,
  known: Evaluations,
  color: Color,
  count: (before: Evaluation, after: Evaluation) => number,
  best: number,
): readonly number[] {
  return game.plies.flatMap(({ ply, uci }) => {
    const [before, after] = [known[ply - 1], known[ply]];
    if (sideOf(game, ply) !== color || !before || !after) return [];
    return [before.line[0]?.uci === uci ? best : count(before, after)];
  });
}

const averageOf = (counts: readonly number[]): number | null =>
  counts.length === 0 ? null : counts.reduce((sum, one) => sum + one, 0) / counts.length;

/** For White, with a checkmate as the most that a position can be worth. */
function centipawnsOf(evaluation: Evaluation): number {
  if (evaluation.mate !== null) return shareOf(evaluation) === 1 ? WORTH_MOST : -WORTH_MOST;
  return Math.min(WORTH_MOST, Math.max(-WORTH_MOST, evaluation.centipawns ?? 0));
}

/** The ply of the next mistake after a ply, or of the last one before it; null without one. */
export function mistakeFrom(moves: readonly MarkedMove[], ply: number, by: 1 | -1): number | null {
  const plies = moves.map((move) => move.ply);
  return (by === 1 ? plies.find((at) => at > ply) : plies.filter((at) => at < ply).at(-1)) ?? null;
}
