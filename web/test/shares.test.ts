/** The shares of games in the opening explorer. */
import { expect, test } from "vitest";
import type { GameCount } from "#protocol";
import { sharesOf } from "../src/state/analysis/shares";

const of = (white_wins: GameCount, draws: GameCount, black_wins: GameCount) =>
  sharesOf({ games: 0, white_wins, draws, black_wins, others: 7 });

test("shares are whole, and equal where the games are", () => {
  expect(of(1, 0, 0)).toEqual({ white: 100, draw: 0, black: 0 });
  expect(of(1, 1, 1)).toEqual({ white: 33, draw: 33, black: 33 });
  expect(of(2, 2, 3)).toEqual({ white: 29, draw: 29, black: 43 });
  expect(of({ at_least: 5_000 }, { at_least: 2_000 }, { at_least: 3_000 })).toEqual({ white: 50, draw: 20, black: 30 });
});

test("half of the games each leaves nothing over, and without a result there are no shares", () => {
  expect(of(100, 0, 100)).toEqual({ white: 50, draw: 0, black: 50 });
  expect(of(1, 0, 199)).toEqual({ white: 1, draw: 0, black: 100 });
  expect(of(0, 0, 0)).toBeNull();
});
