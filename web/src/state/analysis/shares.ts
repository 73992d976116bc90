/** Of games, how many in a hundred White has won, were drawn, and Black has won. Pure. Games without a result do not count. */
import type { GameCounts } from "#protocol";
import { leastOf } from "../gameTally";

export interface Shares {
  readonly white: number;
  readonly draw: number;
  readonly black: number;
}

/** Each in whole percent, as it is rounded: equal ones stay equal. Null without a game that has a result. */
export function sharesOf({ white_wins, draws, black_wins }: GameCounts): Shares | null {
  const [white, draw, black] = [white_wins, draws, black_wins].map(leastOf) as [number, number, number];
  const sum = white + draw + black;
  if (sum === 0) return null;
  const share = (count: number): number => Math.round((100 * count) / sum);
  return { white: share(white), draw: share(draw), black: share(black) };
}
