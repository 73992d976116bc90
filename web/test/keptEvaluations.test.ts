/** What the computer thinks of games, in the browser's storage. */
import type { Evaluation } from "#protocol";
import { describe, expect, test } from "vitest";
import {
  CHARS_MAX,
  GAMES_KEPT,
  endUnfinished,
  keepEvaluations,
  keepUnfinished,
  loadEvaluations,
  loadUnfinished,
} from "../src/net/keptEvaluations";

const evaluation = (game: string, ply: number): Evaluation => ({
  game,
  ply,
  fen: "8/8/8/8/8/8/8/8 w - - 0 1",
  centipawns: 12,
  mate: null,
  depth: 6,
  line: [{ uci: "e2e4", san: "e4" }],
});

/** A storage that takes no more than so many octets. */
class Memory {
  readonly kept = new Map<string, string>();
  constructor(private readonly most = Infinity) {}
  getItem(key: string): string | null {
    return this.kept.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    const others = [...this.kept].filter(([one]) => one !== key).reduce((sum, [, text]) => sum + text.length, 0);
    if (others + value.length > this.most) throw new Error("full");
    this.kept.set(key, value);
  }
  removeItem(key: string): void {
    this.kept.delete(key);
  }
}

describe("evaluations", () => {
  test("come back as they were, each game's own", () => {
    const storage = new Memory();
    const known = { 0: evaluation("a", 0), 7: evaluation("a", 7) };
    keepEvaluations(storage, "a", known);
    keepEvaluations(storage, "b", { 3: evaluation("b", 3) });
    expect(loadEvaluations(storage, "a")).toEqual(known);
    expect(loadEvaluations(storage, "c")).toEqual({});
  });

  test("of the games that were looked at last are kept, so many", () => {
    const storage = new Memory();
    for (let n = 0; n <= GAMES_KEPT; n += 1) {
      keepEvaluations(storage, `g${n}`, { 0: evaluation(`g${n}`, 0) });
      keepEvaluations(storage, "always", { 0: evaluation("always", 0) });
    }
    expect(loadEvaluations(storage, "always")).not.toEqual({});
    expect(loadEvaluations(storage, "g0")).toEqual({});
    expect(storage.kept.size).toBe(GAMES_KEPT + 1);
  });

  test("of an older game make room in a full storage, and one that is too long is not kept", () => {
    const one = JSON.stringify([evaluation("a", 0)]).length;
    const storage = new Memory(2 * one);
    for (const game of ["a", "b", "c"]) keepEvaluations(storage, game, { 0: evaluation(game, 0) });
    expect(Object.keys(loadEvaluations(storage, "c"))).toEqual(["0"]);
    expect(loadEvaluations(storage, "a")).toEqual({});
    keepEvaluations(new Memory(3), "a", { 0: evaluation("a", 0) });
    const long = { ...evaluation("d", 0), fen: "x".repeat(CHARS_MAX) };
    keepEvaluations(storage, "d", { 0: long });
    expect(loadEvaluations(storage, "d")).toEqual({});
  });

  test("that are none are left out", () => {
    const storage = new Memory();
    const good = evaluation("a", 1);
    const bad = [null, 1, {}, { ...good, ply: "1" }, { ...good, line: [1] }, { ...good, game: "b" }];
    storage.setItem("zeitnot.evaluations.a", JSON.stringify([...bad, good]));
    expect(loadEvaluations(storage, "a")).toEqual({ 1: good });
    storage.setItem("zeitnot.evaluations.a", "no JSON");
    expect(loadEvaluations(storage, "a")).toEqual({});
    storage.setItem("zeitnot.evaluations", "{}");
    keepEvaluations(storage, "a", { 1: good });
    expect(loadEvaluations(storage, "a")).toEqual({ 1: good });
  });
});

test("the analysis of a whole game that was asked for last is unfinished until it ends", () => {
  const storage = new Memory();
  expect(loadUnfinished(storage, "a")).toBe(null);
  keepUnfinished(storage, "a", 12);
  keepUnfinished(storage, "a", 11);
  expect([loadUnfinished(storage, "a"), loadUnfinished(storage, "b")]).toEqual([11, null]);
  endUnfinished(storage, "b");
  expect(loadUnfinished(storage, "a")).toBe(11);
  endUnfinished(storage, "a");
  expect(loadUnfinished(storage, "a")).toBe(null);
});
