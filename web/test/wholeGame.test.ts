/** The analysis of a whole game: its shape first, then in order, but what is shown before all, one position at a time, within the server's allowance, and stopped at once. */
import { expect, test } from "vitest";
import type { Evaluation } from "#protocol";
import type { Answer } from "../src/net/ask";
import { AT_ONCE, THEN_EACH_MS, evaluateAll } from "../src/net/wholeGame";
import { type Place, keyOf } from "../src/state/analysis/analysis";

const WORTH = { centipawns: 0 } as Evaluation;

interface Script {
  readonly plies: readonly number[];
  readonly sketch?: readonly number[];
  /** How long each answer takes. */
  readonly answerMs?: number;
  /** What the server says instead of an evaluation, each once. */
  readonly answers?: Answer<Evaluation>[];
  readonly stopAfter?: number;
  /** What is shown after so many requests. */
  shown?(asked: number): Place | null;
}

/** Positions of the game are told by their ply alone. */
const nameOf = (place: Place): number | string => (place.moves.length === 0 ? place.ply : keyOf(place));

async function run({
  plies,
  sketch = [],
  answerMs = 0,
  answers = [],
  stopAfter = Infinity,
  shown = () => null,
}: Script) {
  let now = 1_000;
  const asked: (number | string)[] = [];
  const found: (number | string)[] = [];
  const sketched: number[] = [];
  const rejected: string[] = [];
  const pauses: number[] = [];
  const end = await evaluateAll({
    plies,
    sketch,
    shown: () => shown(asked.length),
    ask: async (place) => {
      asked.push(nameOf(place));
      now += answerMs;
      return answers.shift() ?? { kind: "there", value: WORTH };
    },
    found: (place) => void found.push(nameOf(place)),
    sketched: (ply) => void sketched.push(ply),
    rejected: (_, code) => void rejected.push(code),
    pause: async (ms) => {
      pauses.push(ms);
      now += ms;
    },
    now: () => now,
    isStopped: () => asked.length >= stopAfter,
  });
  return { end, asked, found, sketched, rejected, pauses, took: now - 1_000 };
}

test("asks in order, and waits between positions when half of the allowance is spent", async () => {
  const plies = Array.from({ length: AT_ONCE + 3 }, (_, ply) => ply);
  const { end, asked, found, pauses } = await run({ plies });
  expect([end, asked, found]).toEqual(["done", plies, plies]);
  expect(pauses).toEqual([THEN_EACH_MS, THEN_EACH_MS, THEN_EACH_MS]);
});

test("a slow answer is no reason to wait longer: what it took is part of the wait", async () => {
  const plies = Array.from({ length: 89 }, (_, ply) => ply);
  const { took, pauses } = await run({ plies, answerMs: 600 });
  expect(took).toBeLessThanOrEqual((plies.length - AT_ONCE) * THEN_EACH_MS + 600);
  expect(pauses.every((ms) => ms <= THEN_EACH_MS - 600)).toBe(true);
  expect((await run({ plies, answerMs: THEN_EACH_MS })).pauses).toEqual([]);
});

test("asks for the shape first, and for each of its positions again in turn", async () => {
  const answers: Answer<Evaluation>[] = [{ kind: "later", seconds: 1 }];
  const { asked, found, sketched } = await run({ plies: [4, 3, 2, 1, 0], sketch: [4, 2, 0], answers });
  expect([asked, sketched, found]).toEqual([
    [4, 4, 2, 0, 4, 3, 2, 1, 0],
    [4, 2, 0],
    [4, 3, 2, 1, 0],
  ]);
  const looked = await run({
    plies: [4, 3, 2],
    sketch: [4, 2],
    shown: (n) => (n === 0 ? { ply: 2, moves: [] } : { ply: 4, moves: [] }),
  });
  expect([looked.asked, looked.sketched], "what was shown needs no shape").toEqual([[2, 4, 4, 3, 2], [4]]);
});

test("waits as long as the server says, and asks for the same position again", async () => {
  const answers: Answer<Evaluation>[] = [{ kind: "later", seconds: 7 }, { kind: "failed" }];
  const { end, asked, found, pauses } = await run({ plies: [4, 5], answers });
  expect([end, asked, found]).toEqual(["done", [4, 4, 4, 5], [4, 5]]);
  expect(pauses).toEqual([7_000, 5_000]);
});

test("asks for what is shown first, once and without a wait, and goes on in order", async () => {
  const plies = Array.from({ length: AT_ONCE + 2 }, (_, ply) => ply);
  const looked = (asked: number): Place | null =>
    asked === 2 ? { ply: 7, moves: [] } : asked >= AT_ONCE ? { ply: 1, moves: ["e2e4"] } : null;
  const { end, asked, pauses } = await run({ plies, shown: looked });
  expect([end, asked.slice(0, 5), asked.slice(AT_ONCE)]).toEqual(["done", [0, 1, 7, 2, 3], ["1 e2e4", 29, 30, 31]]);
  expect(asked.filter((ply) => ply === 7).length, "what was shown has its turn all the same").toBe(2);
  expect(pauses, "and counts like the others").toEqual(Array(4).fill(THEN_EACH_MS));
});

test("goes on where a position beside the game is not evaluated", async () => {
  const answers: Answer<Evaluation>[] = [
    { kind: "rejected", code: "has_live_games", message: "", ply: null, reason: null },
  ];
  const aside = { ply: 0, moves: ["a2a3"] };
  expect(await run({ plies: [0, 1], answers, shown: () => aside })).toMatchObject({
    end: "done",
    asked: ["0 a2a3", 0, 1],
    rejected: ["has_live_games"],
  });
});

test("stops before the next position, and keeps the one that was under way", async () => {
  const { end, found } = await run({ plies: [0, 1, 2, 3], stopAfter: 2 });
  expect([end, found]).toEqual(["stopped", [0, 1]]);
});

test("ends when the server does not evaluate the game, and says why", async () => {
  const answers: Answer<Evaluation>[] = [{ kind: "rejected", code: "damaged", message: "", ply: null, reason: null }];
  expect(await run({ plies: [0, 1], answers })).toMatchObject({
    end: "rejected",
    asked: [0],
    found: [],
    rejected: ["damaged"],
  });
});
