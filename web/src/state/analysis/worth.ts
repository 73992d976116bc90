/**
 * An evaluation as words and as a share of a bar. Pure.
 *
 * The share is the chance to win that lichess.org has measured in games of its players with a rating of about 2300: players
 * know it from there, and the marks of mistakes are counted from it.
 */
import type { Evaluation } from "#protocol";
import type { Catalogue } from "../../text";
import { showFraction } from "../../text/numbers";

/** What a position, or a line from it, is worth for White. */
export type Worth = Pick<Evaluation, "centipawns" | "mate">;

/** How steep the share rises, per centipawn: 300 fill three quarters of the bar. */
const STEEPNESS = 0.00368208;

/** How much of the bar is White's, 0 to 1. */
export function shareOf({ centipawns, mate, fen }: Evaluation): number {
  if (mate !== null) return (mate === 0 ? fen.split(" ")[1] === "b" : mate > 0) ? 1 : 0;
  return 1 / (1 + Math.exp(-STEEPNESS * (centipawns ?? 0)));
}

/** In short: `+0.4`, `−1.2`, `#3`, `#−2`; `#` once it is checkmate. */
export function showWorth({ tag }: Catalogue, { centipawns, mate }: Worth): string {
  if (mate === 0) return "#";
  if (mate !== null) return `#${mate < 0 ? "−" : ""}${Math.abs(mate)}`;
  const pawns = Math.round((centipawns ?? 0) / 10) / 10;
  return `${pawns > 0 ? "+" : pawns < 0 ? "−" : ""}${showFraction(tag, Math.abs(pawns), 1)}`;
}

/** As it is read out: `White is better by 0.4`. */
export function speakWorth({ analysis, sides, tag }: Catalogue, { centipawns, mate }: Worth): string {
  const { evaluation } = analysis;
  if (mate === 0) return evaluation.mated;
  if (mate !== null) return evaluation.mate(mate > 0 ? sides.white : sides.black, Math.abs(mate));
  const pawns = Math.round((centipawns ?? 0) / 10) / 10;
  if (pawns === 0) return evaluation.even;
  const amount = showFraction(tag, Math.abs(pawns), 1);
  return pawns > 0 ? evaluation.white(amount) : evaluation.black(amount);
}
