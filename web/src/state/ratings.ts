/**
 * The course of a rating, as points of a chart, and the rating that counts for a game. Pure.
 *
 * Changes come from the server, the last one first. A chart has its first change at the left: by time, or evenly spread if
 * all are of one day.
 */
import type { CategoryRating, Challenge, PastRating, WireCategory } from "#protocol";
import { type Speed, speedOf } from "./lobby";

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

/** In seconds. */
const DAY = 86_400;

/** Null without a change. */
export function chartOf(changes: readonly PastRating[]): Chart | null {
  const [newest] = changes;
  const oldest = changes[changes.length - 1];
  if (!newest || !oldest) return null;
  const span = newest.at - oldest.at;
  const isSpread = span < DAY;
  const course = [...changes].reverse().map(({ at, after }) => ({ at, rating: after }));
  // By time the rating before the first change would stand at the instant of that change.
  if (isSpread) course.unshift({ at: oldest.at, rating: oldest.before });
  const ratings = course.map(({ rating }) => rating);
  const [lowest, highest] = [Math.min(...ratings), Math.max(...ratings)];
  const bottom = Math.floor(lowest / STEP) * STEP;
  const top = Math.max(Math.ceil(highest / STEP) * STEP, bottom + STEP);
  const points = course.map(({ at, rating }, index) => ({
    x: isSpread ? index / (course.length - 1) : (at - oldest.at) / span,
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

const CATEGORY: Partial<Record<Speed, WireCategory>> = { days: "correspondence" };

/** The rating that a player has in games of these terms; undefined without one. */
export function ratingFor(
  ratings: readonly CategoryRating[],
  { variant, time_control }: Pick<Challenge, "variant" | "time_control">,
): CategoryRating | undefined {
  const speed = speedOf(time_control);
  const wanted = variant === "chess960" ? "chess960" : (CATEGORY[speed] ?? speed);
  return ratings.find(({ category }) => category === wanted);
}
