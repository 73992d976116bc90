/** Arrows and circles: drawn again they go, in another colour they change. */
import { expect, test } from "vitest";
import { isCircle, toggleDrawing } from "../src/state/drawing";

const arrow = { from: 12, to: 28, color: "green" } as const;
const circle = { from: 28, to: 28, color: "red" } as const;

test("an arrow leads from one square to another, a circle stays on one", () => {
  expect([isCircle(arrow), isCircle(circle)]).toEqual([false, true]);
});

test("drawings are added, removed by the same again, and recoloured by another colour", () => {
  const both = toggleDrawing(toggleDrawing([], arrow), circle);
  expect(both).toEqual([arrow, circle]);
  expect(toggleDrawing(both, { ...arrow })).toEqual([circle]);
  expect(toggleDrawing(both, { ...circle, color: "blue" })).toEqual([arrow, { ...circle, color: "blue" }]);
  expect(toggleDrawing([arrow], { from: 28, to: 12, color: "green" })).toHaveLength(2);
});
