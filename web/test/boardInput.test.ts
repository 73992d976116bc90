/** The hand at the board: taps, drags, promotion, premoves, and looking back. */
import { describe, expect, test } from "vitest";
import { START_FEN, readFen } from "../src/chess/position";
import { squareOf } from "../src/chess/square";
import {
  NO_INPUT,
  type InputMode,
  attempt,
  cancel,
  onTurn,
  promote,
  clearInput,
  displayed,
  stepTo,
  tap,
  targets,
} from "../src/state/boardInput";

const sq = (name: string): number => squareOf(name) ?? -1;
const start = readFen(START_FEN);
const moves: InputMode = { kind: "move", legal: ["e2e4", "e2e3", "g1f3"], color: "white" };
const wish: InputMode = { kind: "premove", color: "black" };

describe("a move", () => {
  test("by two taps", () => {
    const first = tap(NO_INPUT, start, moves, sq("e2"));
    expect([first.input.selected, first.play]).toEqual([sq("e2"), undefined]);
    expect(tap(first.input, start, moves, sq("e4")).play).toBe("e2e4");
    expect(tap(first.input, start, moves, sq("e5"))).toEqual({ input: NO_INPUT });
    expect(tap(first.input, start, moves, sq("g1")).input.selected).toBe(sq("g1"));
    expect(tap(first.input, start, moves, sq("e2")).input.selected).toBeNull();
  });

  test("by drag, and a wrong one does nothing", () => {
    expect(attempt(NO_INPUT, start, moves, sq("g1"), sq("f3")).play).toBe("g1f3");
    expect(attempt(NO_INPUT, start, moves, sq("g1"), sq("g3")).play).toBeUndefined();
    expect(attempt(NO_INPUT, start, { kind: "look" }, sq("g1"), sq("f3")).play).toBeUndefined();
  });

  test("castling takes the king's goal or the rook", () => {
    const position = readFen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    const mode: InputMode = { kind: "move", legal: ["e1g1", "e1c1", "e1e2"], color: "white" };
    expect(targets(position, mode, sq("e1")).sort((a, b) => a - b)).toEqual([
      sq("a1"),
      sq("c1"),
      sq("g1"),
      sq("h1"),
      sq("e2"),
    ]);
    expect(attempt(NO_INPUT, position, mode, sq("e1"), sq("h1")).play).toBe("e1g1");
    const chess960: InputMode = { kind: "move", legal: ["e1h1", "e1a1"], color: "white" };
    expect(attempt(NO_INPUT, position, chess960, sq("e1"), sq("g1")).play).toBe("e1h1");
  });

  test("a promotion asks first", () => {
    const position = readFen("8/P6k/8/8/8/8/8/K7 w - - 0 1");
    const mode: InputMode = { kind: "move", legal: ["a7a8q", "a7a8n", "a7a8r", "a7a8b"], color: "white" };
    const { input, play } = attempt(NO_INPUT, position, mode, sq("a7"), sq("a8"));
    expect([input.promoting, play]).toEqual([{ from: sq("a7"), to: sq("a8") }, undefined]);
    expect(promote(input, position, mode, "n").play).toBe("a7a8n");
    expect(promote(input, position, mode, null)).toEqual({ input: NO_INPUT });
  });

  test("on its way is seen on the board, until the position changes", () => {
    const input = { ...NO_INPUT, sent: { on: 1, uci: "e2e4" } };
    expect(displayed(start, input, 1).board[sq("e4")]?.role).toBe("p");
    expect(displayed(start, input, 2)).toBe(start);
  });
});

describe("a premove", () => {
  test("is set, replaced and taken back", () => {
    const { input } = attempt(NO_INPUT, start, wish, sq("e7"), sq("e5"));
    expect(input.premove).toBe("e7e5");
    expect(attempt(input, start, wish, sq("d7"), sq("d5")).input.premove).toBe("d7d5");
    expect(tap(input, start, wish, sq("h4")).input.premove).toBeNull();
    expect(cancel({ ...input, selected: 3 })).toEqual(input);
    expect(cancel(input).premove).toBeNull();
  });

  test("is played with the turn if it is legal, and else forgotten", () => {
    const input = { ...NO_INPUT, premove: "e7e5" };
    expect(onTurn(input, start, ["e7e5"])).toEqual({ input: NO_INPUT, play: "e7e5" });
    expect(onTurn(input, start, ["a7a6"])).toEqual({ input: NO_INPUT });
  });

  test("a promotion begun before the turn is still to be chosen", () => {
    const promoting = { from: sq("e7"), to: sq("e8") };
    expect(onTurn({ ...NO_INPUT, promoting }, start, []).input.promoting).toEqual(promoting);
  });
});

test("stepping stays within the game, and the last ply is the present", () => {
  expect([
    stepTo(NO_INPUT, -3, 10).cursor,
    stepTo(NO_INPUT, 4, 10).cursor,
    stepTo(NO_INPUT, 10, 10).cursor,
    stepTo(NO_INPUT, 99, 10).cursor,
  ]).toEqual([0, 4, null, null]);
});

test("the end of a game empties the hand and keeps the view", () => {
  expect(
    clearInput({
      flipped: true,
      cursor: 3,
      selected: 1,
      premove: "a2a3",
      promoting: { from: 1, to: 2 },
      sent: { on: 1, uci: "a2a3" },
      proof: null,
    }),
  ).toEqual({ ...NO_INPUT, flipped: true, cursor: 3 });
});
