/** The best lines: of one game and each position, and where deeper ones are to be had. */
import { expect, test } from "vitest";
import type { BestLine, Evaluation } from "#protocol";
import { type KnownLines, awaitedOf, deepened, deeperOf, numbered, withLines } from "../src/state/analysis/bestLines";

const line = (depth: number, mate: number | null = null): BestLine => ({
  centipawns: mate === null ? 20 : null,
  mate,
  depth,
  moves: [{ uci: "e2e4", san: "e4" }],
});
const usual = { effort: "usual" as const, lines: [line(15), line(15)] };
const deeper = { effort: "deeper" as const, lines: [line(17), line(17)] };

test("a line has the numbers of its moves, from the side that begins it", () => {
  expect(numbered({ fullmove: 12, turn: "white" }, ["O-O-O", "Qc5", "Bxf6"])).toEqual([
    "12.\u00a0O\u2060-\u2060O\u2060-\u2060O",
    "Qc5",
    "13.\u00a0Bxf6",
  ]);
  expect(numbered({ fullmove: 2, turn: "black" }, ["Qh4", "Kf2", "Qd8"])).toEqual([
    "2…\u00a0Qh4",
    "3.\u00a0Kf2",
    "Qd8",
  ]);
  expect(numbered({ fullmove: 1, turn: "white" }, [])).toEqual([]);
});

test("lines are awaited until the search is over, as many as there are legal moves, and three at most", () => {
  expect([awaitedOf(0, false, null), awaitedOf(1, false, 30), awaitedOf(1, false, 2)]).toEqual([3, 2, 1]);
  expect([awaitedOf(1, false, 1), awaitedOf(1, true, 30), awaitedOf(0, true, null)]).toEqual([0, 0, 0]);
});

test("deeper lines can be asked for once, after the usual ones are there", () => {
  expect(deeperOf(null, false)).toBeNull();
  expect(deeperOf(usual, false)).toBe("possible");
  expect(deeperOf(usual, true)).toBe("searching");
  expect([deeperOf(deeper, true), deeperOf(deeper, false)]).toEqual(["deepest", "deepest"]);
});

test("nothing deeper is to be had where every line ends in a checkmate, or there is none", () => {
  expect(deeperOf({ ...usual, lines: [line(9, 3), line(9, -4)] }, false)).toBeNull();
  expect(deeperOf({ ...usual, lines: [line(9, 3), line(9)] }, false)).toBe("possible");
  expect(deeperOf({ ...usual, lines: [] }, false)).toBeNull();
});

test("deeper lines take the place of those of their position, and another game's go", () => {
  const none: KnownLines = { of: null, found: {} };
  const both = withLines(withLines(none, "game", "3", usual), "game", "4", usual);
  expect(withLines(both, "game", "3", deeper).found).toEqual({ 3: deeper, 4: usual });
  expect(withLines(both, "other", "3", usual)).toEqual({ of: "other", found: { 3: usual } });
});

test("the best line is what the position is worth", () => {
  const evaluation = { centipawns: 5, mate: null, depth: 12, line: [] } as unknown as Evaluation;
  expect(deepened(evaluation, deeper.lines)).toMatchObject({ centipawns: 20, depth: 17, line: deeper.lines[0]?.moves });
  expect([deepened(evaluation, null), deepened(evaluation, [])]).toEqual([evaluation, evaluation]);
  expect(deepened(undefined, usual.lines)).toBeUndefined();
});
