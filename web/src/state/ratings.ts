/**
 * The course of a rating, as points of a chart, and the rating that counts for a game. Pure.
 *
 * Changes come from the server, the last one first. A chart has its first change at the left: by time, or evenly spread if
 * all are of one day.
 */
import type { CategoryRating, Challenge, PastRating, WireCategory } from "#protocol";
import { type Speed, speedOf } from "./lobby";

/** A place in a chart, from 0 to 1: time from left to right, rating from bottom to top. */
interface Place {
  readonly x: number;
  readonly y: number;
}

export interface Chart {
  readonly line: readonly Place[];
  /** The places of the line to which a change has led, at least one. */
  readonly points: readonly (Place & { readonly change: PastRating })[];
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
  const inOrder = [...changes].reverse();
  // By time the rating before the first change would stand at the instant of that change.
  const ratings = [...(isSpread ? [oldest.before] : []), ...inOrder.map(({ after }) => after)];
  const [lowest, highest] = [Math.min(...ratings), Math.max(...ratings)];
  const bottom = Math.floor(lowest / STEP) * STEP;
  const top = Math.max(Math.ceil(highest / STEP) * STEP, bottom + STEP);
  const yOf = (rating: number): number => (rating - bottom) / (top - bottom);
  const points = inOrder.map((change, index) => ({
    x: isSpread ? (index + 1) / changes.length : (change.at - oldest.at) / span,
    y: yOf(change.after),
    change,
  }));
  return {
    line: isSpread ? [{ x: 0, y: yOf(oldest.before) }, ...points] : points,
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

/** Which of the points is nearest to a place between left and right. */
export function nearestTo(points: Chart["points"], x: number): number {
  const distances = points.map((point) => Math.abs(point.x - x));
  return distances.indexOf(Math.min(...distances));
}

/** What everybody begins with, provisionally. */
export const FIRST_RATING = 1500;

/** So many games make a course. */
export const COURSE_GAMES = 2;

const CATEGORY: Record<Speed, WireCategory | null> = {
  bullet: "bullet",
  blitz: "blitz",
  rapid: "rapid",
  classical: "classical",
  days: "correspondence",
  unlimited: null,
};

type Terms = Pick<Challenge, "variant" | "time_control">;

/** In which category a rated game of these terms counts; null where none does. */
export function categoryOf({ variant, time_control }: Terms): WireCategory | null {
  return variant === "chess960" ? "chess960" : CATEGORY[speedOf(time_control)];
}

/** The rating that a player has in games of these terms; undefined without one. */
export function ratingFor(ratings: readonly CategoryRating[], terms: Terms): CategoryRating | undefined {
  const wanted = categoryOf(terms);
  return ratings.find(({ category }) => category === wanted);
}
