/** The shares of games in the opening explorer. */
import { expect, test } from "vitest";
import type { GameCount } from "#protocol";
import { sharesOf } from "../src/state/analysis/shares";

const of = (white_wins: GameCount, draws: GameCount, black_wins: GameCount) =>
  sharesOf({ games: 0, white_wins, draws, black_wins, others: 7 });

test("shares are whole and add up to a hundred", () => {
  expect(of(1, 0, 0)).toEqual({ white: 100, draw: 0, black: 0 });
  expect(of(1, 1, 1)).toEqual({ white: 33, draw: 34, black: 33 });
  expect(of({ at_least: 5_000 }, { at_least: 2_000 }, { at_least: 3_000 })).toEqual({ white: 50, draw: 20, black: 30 });
  for (let white = 0; white < 40; white += 1)
    for (let black = 0; black < 40; black += 1) {
      const shares = of(white, 3, black);
      if (!shares) continue;
      expect(shares.white + shares.draw + shares.black).toBe(100);
      expect(Math.min(...Object.values(shares))).toBeGreaterThanOrEqual(0);
    }
});

test("half of the games each leaves nothing over, and without a result there are no shares", () => {
  expect(of(100, 0, 100)).toEqual({ white: 50, draw: 0, black: 50 });
  expect(of(1, 0, 199)).toEqual({ white: 0, draw: 0, black: 100 });
  expect(of(0, 0, 0)).toBeNull();
});
