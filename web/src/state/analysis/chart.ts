/** The evaluations of a game as points of a chart. Pure. */
import type { Evaluations } from "./mistakes";
import { shareOf } from "./worth";

/** A ply, and White's share there. */
export type Point = readonly [ply: number, share: number];

/** Points of plies that follow one another; between two of these something is not known yet. */
export function runsOf(known: Evaluations): readonly (readonly Point[])[] {
  const runs: Point[][] = [];
  const plies = Object.entries(known).map(([ply, evaluation]): Point => [Number(ply), shareOf(evaluation)]);
  for (const point of plies.sort(([a], [b]) => a - b)) {
    const run = runs.at(-1);
    if (run?.at(-1)?.[0] === point[0] - 1) run.push(point);
    else runs.push([point]);
  }
  return runs;
}
