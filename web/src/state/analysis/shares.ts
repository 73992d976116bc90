/** Of games, how many in a hundred White has won, were drawn, and Black has won. Pure. Games without a result do not count. */
import type { GameCounts } from "#protocol";
import { leastOf } from "../gameTally";

export interface Shares {
  readonly white: number;
  readonly draw: number;
  readonly black: number;
}

/** In whole percent, which add up to 100; null without a game that has a result. */
export function sharesOf({ white_wins, draws, black_wins }: GameCounts): Shares | null {
  const [white, draw, black] = [white_wins, draws, black_wins].map(leastOf) as [number, number, number];
  const sum = white + draw + black;
  if (sum === 0) return null;
  const whole = { white: Math.round((100 * white) / sum), black: Math.round((100 * black) / sum) };
  // Two halves are both rounded up.
  const over = Math.max(0, whole.white + whole.black - 100);
  return { white: whole.white - over, draw: 100 - whole.white - whole.black + over, black: whole.black };
}
