/**
 * Which moves are marked as mistakes: by what they lose of the bar, from the mover's side, and never the computer's choice;
 * and the evaluations as points of the chart.
 */
import { expect, test } from "vitest";
import type { Evaluation } from "#protocol";
import type { Game } from "zeitnot-client";
import {
  type Evaluations,
  type MarkedMove,
  accuracyOf,
  averageLoss,
  bestInstead,
  countsOf,
  mistakeFrom,
  mistakesIn,
  worstOf,
} from "../src/state/analysis/mistakes";
import { SKETCH_PARTS, runsOf, sketchOf, sketchStep } from "../src/state/analysis/chart";
import { START_FEN } from "../src/chess/position";

const MOVES = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"];
const GAME = { startFen: START_FEN, plies: MOVES.map((uci, index) => ({ ply: index + 1, uci })) } as unknown as Game;

const worth = (centipawns: number | null, best = "a2a3", mate: number | null = null) =>
  ({ centipawns, mate, fen: START_FEN, line: [{ uci: best, san: best }] }) as unknown as Evaluation;

const marks = (known: Evaluations) => mistakesIn(GAME, known).map(({ ply, color, mark }) => [ply, color, mark]);

test("5 hundredths of the bar are an inaccuracy, 10 a mistake, 15 a blunder", () => {
  // From an even position: about 0.5, 1.1 and 1.7 pawns.
  expect(marks({ 0: worth(0), 1: worth(-50) })).toEqual([]);
  expect(marks({ 0: worth(0), 1: worth(-60) })).toEqual([[1, "white", "?!"]]);
  expect(marks({ 0: worth(0), 1: worth(-115) })).toEqual([[1, "white", "?"]]);
  expect(marks({ 0: worth(0), 1: worth(-175) })).toEqual([[1, "white", "??"]]);
  expect(marks({ 0: worth(0), 1: worth(null, "", -1) })).toEqual([[1, "white", "??"]]);
});

test("is counted from the mover's side, and a pawn weighs less in a game that is won anyway", () => {
  expect(marks({ 1: worth(0), 2: worth(150) })).toEqual([[2, "black", "?"]]);
  expect(marks({ 1: worth(190), 2: worth(420) }), "a knight is lost").toEqual([[2, "black", "??"]]);
  expect(marks({ 1: worth(0), 2: worth(-250), 3: worth(900), 4: worth(800) })).toEqual([]);
});

test("needs both positions, and marks no move that the computer would have made", () => {
  expect(marks({ 0: worth(0), 2: worth(900) })).toEqual([]);
  expect(marks({ 0: worth(0, "e2e4"), 1: worth(-500) })).toEqual([]);
});

test("each side's are counted", () => {
  const found = mistakesIn(GAME, { 0: worth(0), 1: worth(-100), 2: worth(400), 3: worth(-600) });
  expect([countsOf(found, "white"), countsOf(found, "black")]).toEqual([
    [1, 0, 1],
    [0, 0, 1],
  ]);
});

test("what a side loses per move is the average of its known moves, of at most ten pawns each, and never a gain", () => {
  const known = { 0: worth(0), 1: worth(-100), 2: worth(-150), 3: worth(null, "", -2), 4: worth(-2000) };
  expect(averageLoss(GAME, known, "white")).toBe((100 + 850) / 2);
  expect(averageLoss(GAME, known, "black")).toBe(0);
  expect(averageLoss(GAME, { 0: worth(0, "e2e4"), 1: worth(-100) }, "white")).toBe(0);
  expect(averageLoss(GAME, { 0: worth(0) }, "white")).toBeNull();
});

test("each 16 hundredths of the bar that a move loses halve its accuracy, and a side's is halfway between two means", () => {
  // Centipawns at which White's share of the bar is so much.
  const at = (share: number) => Math.log(share / (1 - share)) / 0.00368208;
  const known = { 0: worth(at(0.5)), 1: worth(at(0.34)), 2: worth(at(0.3)), 3: worth(at(0.3)), 4: worth(at(0.62)) };
  const means = (one: number, other: number) => ((one + other) / 2 + 2 / (1 / one + 1 / other)) / 2;
  expect(accuracyOf(GAME, known, "white")).toBeCloseTo(means(50, 100));
  expect(accuracyOf(GAME, known, "black")).toBeCloseTo(means(100, 25));
  expect(accuracyOf(GAME, { 0: worth(0, "e2e4"), 1: worth(-900) }, "white"), "the computer's own move").toBe(100);
  expect(accuracyOf(GAME, { 0: worth(0) }, "white")).toBeNull();
});

test("one goes from mistake to mistake, from between them too", () => {
  const moves = [2, 5].map((ply) => ({ ply }) as MarkedMove);
  expect([0, 2, 3, 5].map((ply) => mistakeFrom(moves, ply, 1))).toEqual([2, 5, 5, null]);
  expect([2, 3, 5, 9].map((ply) => mistakeFrom(moves, ply, -1))).toEqual([null, 2, 2, 5]);
});

test("a marked move comes with the best one of the position before it", () => {
  const known = { 0: worth(0, "d2d4"), 1: worth(-300, "e7e6") };
  const [marked] = mistakesIn(GAME, known);
  if (!marked) throw new Error("the move is a blunder");
  expect(bestInstead(marked)?.san).toBe("d2d4");
  expect(bestInstead({ ...marked, before: { ...worth(0), line: [] } })).toBeNull();
});

test("the worst move is the one that lost most of the bar, the first of equal ones, and says what it cost", () => {
  // Both are blunders; as many pawns cost less in a game that is lost anyway.
  const known = { 0: worth(0), 1: worth(-250), 2: worth(-250), 3: worth(-520), 4: worth(-520), 5: worth(-520) };
  const worst = worstOf(mistakesIn(GAME, known));
  expect([worst?.ply, worst?.before?.centipawns, worst?.after?.centipawns]).toEqual([1, 0, -250]);
  expect(worstOf(mistakesIn(GAME, { 0: worth(0), 1: worth(-250), 2: worth(0), 3: worth(-250) }))?.ply).toBe(1);
  expect(worstOf(mistakesIn(GAME, { 0: worth(0), 1: worth(-220), 2: worth(0), 3: worth(-250) }))?.ply).toBe(3);
  expect(worstOf([])).toBeNull();
});

test("the chart has gaps where a ply is not known", () => {
  const known = { 10: worth(0), 2: worth(0), 0: worth(0), 1: worth(0), 5: worth(0), 9: worth(0) };
  expect(runsOf(known).map((run) => run.map(([ply]) => ply))).toEqual([[0, 1, 2], [5], [9, 10]]);
  expect(runsOf({ 3: worth(0) })).toEqual([[[3, 0.5]]]);
  expect(runsOf({})).toEqual([]);
});

test("a few plies spread over a long game give the chart its shape, whose line goes from one to the next", () => {
  expect([sketchOf(0), sketchOf(13)]).toEqual([[], []]);
  for (const plies of [36, 89, 300]) {
    const sketch = sketchOf(plies);
    expect([sketch.length, sketch[0], sketch.at(-1)]).toEqual([SKETCH_PARTS + 1, plies, 0]);
    const known = Object.fromEntries(sketch.map((ply) => [ply, worth(0)]));
    expect(runsOf(known, sketchStep(plies)).length, `${plies}`).toBe(1);
    expect(runsOf(known).length).toBe(SKETCH_PARTS + 1);
  }
});
