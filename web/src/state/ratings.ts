/**
 * The course of a rating, as points of a chart. Pure.
 *
 * Changes come from the server, the last one first. A chart has its first change at the left, by time.
 */
import type { PastRating } from "#protocol";

export interface Chart {
  /** From 0 to 1: time from left to right, rating from bottom to top. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** The ratings at the bottom and at the top: whole fifties. */
  readonly bottom: number;
  readonly top: number;
  readonly first: number;
  readonly last: number;
  readonly lowest: number;
  readonly highest: number;
  /** Seconds since 1970. */
  readonly from: number;
  readonly until: number;
}

/** Ratings at the bottom and top of a chart are multiples of this. */
const STEP = 50;

/** Null without a change. */
export function chartOf(changes: readonly PastRating[]): Chart | null {
  const [newest] = changes;
  const oldest = changes[changes.length - 1];
  if (!newest || !oldest) return null;
  // The rating before the first change belongs to the course, at the instant of that change.
  const course = [{ at: oldest.at, rating: oldest.before }];
  for (const { at, after } of [...changes].reverse()) course.push({ at, rating: after });
  const ratings = course.map(({ rating }) => rating);
  const [lowest, highest] = [Math.min(...ratings), Math.max(...ratings)];
  const bottom = Math.floor(lowest / STEP) * STEP;
  const top = Math.max(Math.ceil(highest / STEP) * STEP, bottom + STEP);
  const span = newest.at - oldest.at;
  const points = course.map(({ at, rating }, index) => ({
    // Changes of one instant are spread evenly.
    x: span > 0 ? (at - oldest.at) / span : index / (course.length - 1),
    y: (rating - bottom) / (top - bottom),
  }));
  return {
    points,
    bottom,
    top,
    lowest,
    highest,
    first: oldest.before,
    last: newest.after,
    from: oldest.at,
    until: newest.at,
  };
}
