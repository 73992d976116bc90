/** The analysis of a whole game: in order, one position at a time, within the server's allowance, and stopped at once. */
import { expect, test } from "vitest";
import type { Evaluation } from "#protocol";
import type { Answer } from "../src/net/ask";
import { AT_ONCE, THEN_EACH_MS, evaluateAll } from "../src/net/wholeGame";

const WORTH = { centipawns: 0 } as Evaluation;

interface Script {
  readonly plies: readonly number[];
  /** What the server says instead of an evaluation, each once. */
  readonly answers?: Answer<Evaluation>[];
  readonly stopAfter?: number;
}

async function run({ plies, answers = [], stopAfter = Infinity }: Script) {
  const asked: number[] = [];
  const found: number[] = [];
  const pauses: number[] = [];
  const end = await evaluateAll({
    plies,
    ask: async (ply) => {
      asked.push(ply);
      return answers.shift() ?? { kind: "there", value: WORTH };
    },
    found: (ply) => void found.push(ply),
    pause: async (ms) => void pauses.push(ms),
    isStopped: () => asked.length >= stopAfter,
  });
  return { end, asked, found, pauses };
}

test("asks in order, and waits between positions when half of the allowance is spent", async () => {
  const plies = Array.from({ length: AT_ONCE + 3 }, (_, ply) => ply);
  const { end, asked, found, pauses } = await run({ plies });
  expect([end, asked, found]).toEqual(["done", plies, plies]);
  expect(pauses).toEqual([THEN_EACH_MS, THEN_EACH_MS, THEN_EACH_MS]);
});

test("waits as long as the server says, and asks for the same position again", async () => {
  const answers: Answer<Evaluation>[] = [{ kind: "later", seconds: 7 }, { kind: "failed" }];
  const { end, asked, found, pauses } = await run({ plies: [4, 5], answers });
  expect([end, asked, found]).toEqual(["done", [4, 4, 4, 5], [4, 5]]);
  expect(pauses).toEqual([7_000, 5_000]);
});

test("stops before the next position, and keeps the one that was under way", async () => {
  const { end, found } = await run({ plies: [0, 1, 2, 3], stopAfter: 2 });
  expect([end, found]).toEqual(["stopped", [0, 1]]);
});

test("ends when the server does not evaluate the game", async () => {
  const answers: Answer<Evaluation>[] = [{ kind: "rejected", code: "damaged", message: "", ply: null }];
  expect(await run({ plies: [0, 1], answers })).toMatchObject({ end: "rejected", asked: [0], found: [] });
});
