/** The last position of a line that finished games had: which one it is, and with how many requests it is found. */
import { expect, test } from "vitest";
import type { PlayedMoves } from "#protocol";
import { findLastKnown } from "../src/net/lastKnown";
import type { Answer } from "../src/net/ask";

/** A line of so many plies; `games`: how many had the position after each, and no more had a later one. */
async function find(plies: number, games: readonly number[], own = 0) {
  const asked: number[] = [];
  const positions = Array.from({ length: plies + 1 }, (_, ply) => `${ply}`);
  const answer = await findLastKnown(positions, own, async (fen): Promise<Answer<PlayedMoves>> => {
    asked.push(Number(fen));
    const count = games[Number(fen)] ?? 0;
    const of = { games: count + 1, white_wins: count, draws: 0, black_wins: 0, others: 1 };
    return { kind: "there", value: { games: of, moves: [] } };
  });
  return { found: answer.kind === "there" ? answer.value : answer, requests: asked.length, last: Math.max(...asked) };
}

test("it is found wherever the line leaves what is known, with five requests", async () => {
  for (let known = 1; known <= 30; known += 1) {
    const { found, requests, last } = await find(90, [100, ...Array.from({ length: known }, (_, at) => 50 - at)]);
    expect(found).toEqual({ ply: known, games: 51 - known });
    expect(requests).toBeLessThanOrEqual(5);
    expect(last, "later positions are not counted").toBeLessThanOrEqual(30);
  }
});

test("a short line ends where one is, which is known to have none", async () => {
  expect(await find(3, [9, 8, 7])).toMatchObject({ found: { ply: 2, games: 7 }, last: 2 });
  expect((await find(1, [9])).requests).toBe(0);
});

test("without a known move there is none", async () => {
  expect((await find(20, [9])).found).toBeNull();
});

test("a game counts for nothing where its own line goes, and for one where another line comes back to it", async () => {
  const games = [9, 5, 4, 3, ...Array.from({ length: 27 }, () => 1)];
  expect((await find(60, games, 60)).found).toEqual({ ply: 3, games: 3 });
  expect((await find(6, [9, 5, 1, 1], 1)).found).toEqual({ ply: 3, games: 1 });
});

test("what is not answered is handed on", async () => {
  const later: Answer<PlayedMoves> = { kind: "later", seconds: 3 };
  expect(await findLastKnown(["0", "1", "2"], 0, async () => later)).toEqual(later);
});
