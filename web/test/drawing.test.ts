/** Arrows and circles: drawn again they go, in another colour they change; an arrow hides no piece. */
import { expect, test } from "vitest";
import { readFen } from "../src/chess/position";
import { answerOf, hintsOf } from "../src/state/analysis/hints";
import { isCircle, toggleDrawing } from "../src/state/drawing";
import { arrow as arrowPath } from "../src/view/board/Drawings";

const arrow = { from: 12, to: 28, color: "green" } as const;
const circle = { from: 28, to: 28, color: "red" } as const;

test("an arrow leads from one square to another, a circle stays on one", () => {
  expect([isCircle(arrow), isCircle(circle)]).toEqual([false, true]);
});

const pointsOf = (to: number): number[][] => {
  const places = arrowPath({ from: 12, to, color: "blue" }, false).match(/[\d.]+ [\d.]+/gu) ?? [];
  return places.map((place) => place.split(" ").map(Number));
};

test("an arrow begins outside the piece that it starts from, in each direction", () => {
  // From e2 straight, aslant and as a knight moves, and to the next square.
  for (const to of [28, 60, 30, 27, 22, 20, 21, 4, 11]) {
    const points = pointsOf(to);
    expect(points.length).toBe(7);
    for (const [x = 0, y = 0] of points)
      expect(Math.max(Math.abs(x - 4.5), Math.abs(y - 6.5)), `${to}: ${x} ${y}`).toBeGreaterThan(0.36);
  }
});

test("an arrow to the next square has a shaft that is longer than its head", () => {
  for (const to of [20, 21, 4, 11]) {
    const [begin, neck, , tip] = pointsOf(to);
    const between = (a: number[] = [], b: number[] = []) =>
      Math.hypot((a[0] ?? 0) - (b[0] ?? 0), (a[1] ?? 0) - (b[1] ?? 0));
    expect(between(begin, neck), `to ${to}`).toBeGreaterThan(between(neck, tip));
  }
});

test("drawings are added, removed by the same again, and recoloured by another colour", () => {
  const both = toggleDrawing(toggleDrawing([], arrow), circle);
  expect(both).toEqual([arrow, circle]);
  expect(toggleDrawing(both, { ...arrow })).toEqual([circle]);
  expect(toggleDrawing(both, { ...circle, color: "blue" })).toEqual([arrow, { ...circle, color: "blue" }]);
  expect(toggleDrawing([arrow], { from: 28, to: 12, color: "green" })).toHaveLength(2);
});

test("the computer's move has an arrow, and a circle around what it captures", () => {
  const position = readFen("4k3/8/8/3p4/4P3/8/8/R3K2R w KQ - 0 1");
  expect(hintsOf(position, null)).toEqual([]);
  expect(hintsOf(position, "e4e5")).toEqual([{ from: 28, to: 36, color: "blue" }]);
  expect(hintsOf(position, "e4d5").map(isCircle)).toEqual([true, false]);
  const two = hintsOf(position, "e4e5", "g1f3");
  expect(
    two.map(({ from, color }) => [from, color]),
    "the missed move in a colour of its own",
  ).toEqual([
    [6, "green"],
    [28, "blue"],
  ]);
  expect(hintsOf(position, "e1g1"), "castling captures nothing").toHaveLength(1);
});

test("a wrong move has an arrow beside that of its answer, which may capture the piece where it went", () => {
  const position = readFen("4k3/8/8/3p4/8/4P3/8/R3K2R w KQ - 0 1");
  expect(answerOf(position, "e3e4", "d5e4")).toEqual([
    { from: 20, to: 28, color: "red" },
    { from: 28, to: 28, color: "blue" },
    { from: 35, to: 28, color: "blue" },
  ]);
});
