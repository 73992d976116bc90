/** Arrows and circles: drawn again they go, in another colour they change; an arrow hides no piece. */
import { expect, test } from "vitest";
import { isCircle, toggleDrawing } from "../src/state/drawing";
import { arrow as arrowPath } from "../src/view/board/Drawings";

const arrow = { from: 12, to: 28, color: "green" } as const;
const circle = { from: 28, to: 28, color: "red" } as const;

test("an arrow leads from one square to another, a circle stays on one", () => {
  expect([isCircle(arrow), isCircle(circle)]).toEqual([false, true]);
});

test("an arrow begins outside the piece that it starts from, in each direction", () => {
  // From e2 straight, aslant and as a knight moves.
  for (const to of [20, 28, 60, 21, 30, 27, 22, 4]) {
    const places = arrowPath({ from: 12, to, color: "blue" }, false).match(/[\d.]+ [\d.]+/gu) ?? [];
    expect(places.length).toBe(7);
    for (const place of places) {
      const [x = 0, y = 0] = place.split(" ").map(Number);
      expect(Math.max(Math.abs(x - 4.5), Math.abs(y - 6.5)), `${to}: ${place}`).toBeGreaterThan(0.36);
    }
  }
});

test("drawings are added, removed by the same again, and recoloured by another colour", () => {
  const both = toggleDrawing(toggleDrawing([], arrow), circle);
  expect(both).toEqual([arrow, circle]);
  expect(toggleDrawing(both, { ...arrow })).toEqual([circle]);
  expect(toggleDrawing(both, { ...circle, color: "blue" })).toEqual([arrow, { ...circle, color: "blue" }]);
  expect(toggleDrawing([arrow], { from: 28, to: 12, color: "green" })).toHaveLength(2);
});
