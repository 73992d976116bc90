/**
 * The evaluations of a game as points of a chart, and those that give a chart of a long game its shape before all are known.
 * Pure.
 */
import type { Evaluations } from "./mistakes";
import { shareOf } from "./worth";

/** A ply, and White's share there. */
export type Point = readonly [ply: number, share: number];

/** So many parts of equal length give a chart its shape. */
export const SKETCH_PARTS = 12;
/** All of a game with fewer plies is known about as soon. */
const SKETCH_FROM = 3 * SKETCH_PARTS;

/** The plies of a game that are evaluated first, the last one before the others; none of a short game. */
export function sketchOf(plies: number): readonly number[] {
  if (plies < SKETCH_FROM) return [];
  return Array.from({ length: SKETCH_PARTS + 1 }, (_, at) => plies - Math.round((at * plies) / SKETCH_PARTS));
}

/** How many plies the line of a chart of them goes over at once, without one in between. */
export const sketchStep = (plies: number): number => Math.ceil(plies / SKETCH_PARTS);

/** Points that are at most so many plies apart; between two of these runs something is not known yet. */
export function runsOf(known: Evaluations, apart = 1): readonly (readonly Point[])[] {
  const runs: Point[][] = [];
  const plies = Object.entries(known).map(([ply, evaluation]): Point => [Number(ply), shareOf(evaluation)]);
  for (const point of plies.sort(([a], [b]) => a - b)) {
    const run = runs.at(-1);
    if (run && point[0] - (run.at(-1)?.[0] ?? 0) <= apart) run.push(point);
    else runs.push([point]);
  }
  return runs;
}
