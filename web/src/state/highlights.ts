/** What stands out in the course of a rating: its peak, the best win, and how strong the opponents were. Pure. */
import type { PastRating } from "#protocol";

export interface Highlights {
  /** To the highest rating; to a provisional one only where all are. */
  readonly peak: PastRating;
  /** The win against the highest rating. */
  readonly best: PastRating | null;
  /** The average rating of the opponents. */
  readonly opponents: number;
}

/** Null without a game. Of a game that counts for something else by now, or no longer, only the rating is read. */
export function highlightsOf(changes: readonly PastRating[]): Highlights | null {
  const highest = (of: readonly PastRating[], rating: (change: PastRating) => number): PastRating | undefined =>
    of.reduce<PastRating | undefined>((best, one) => (best && rating(best) >= rating(one) ? best : one), undefined);
  const sure = changes.filter(({ provisional }) => !provisional);
  const peak = highest(sure.length > 0 ? sure : changes, ({ after }) => after);
  const games = changes.filter(({ cause }) => cause === "game");
  if (!peak || games.length === 0) return null;
  const corrected = changes.filter(({ cause }) => cause === "correction").map(({ game }) => game);
  const won = games.filter(({ game, half_points }) => half_points === 2 && !corrected.includes(game));
  const sum = games.reduce((total, { opponent_rating }) => total + opponent_rating, 0);
  return {
    peak,
    best: highest(won, ({ opponent_rating }) => opponent_rating) ?? null,
    opponents: Math.round(sum / games.length),
  };
}
