/** The hand at the board: taps, drags, promotion, premoves, and looking back. */
import { describe, expect, test } from "vitest";
import { START_FEN, readFen } from "../src/chess/position";
import { squareOf } from "../src/chess/square";
import {
  NO_INPUT,
  type InputMode,
  attempt,
  cancel,
  confirm,
  onTurn,
  promote,
  clearInput,
  displayed,
  settled,
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

describe("a move that is confirmed first", () => {
  const asks: InputMode = { ...moves, confirmOn: 7 };
  const { input, play } = attempt(NO_INPUT, start, asks, sq("e2"), sq("e4"));

  test("is drawn and not sent", () => {
    expect([input.confirming, play]).toEqual([{ on: 7, uci: "e2e4" }, undefined]);
    expect(displayed(start, input, 7).board[sq("e4")]?.role).toBe("p");
  });

  test("is sent when it is confirmed", () => expect(confirm(input)).toEqual({ input: NO_INPUT, play: "e2e4" }));

  test("is taken back by Escape and by a tap", () => {
    expect(cancel(input)).toEqual(NO_INPUT);
    expect(tap(input, start, { kind: "look" }, sq("a5"))).toEqual({ input: NO_INPUT });
  });

  test("goes with the position it was for", () => {
    expect(settled(input, 7)).toBe(input);
    expect(settled(input, 8)).toEqual(NO_INPUT);
  });
});

test("always a queen: the dialog is left out, for moves and premoves", () => {
  const position = readFen("8/P6k/8/8/8/8/7p/K7 w - - 0 1");
  const legal = ["a7a8q", "a7a8n"];
  expect(
    attempt(NO_INPUT, position, { kind: "move", legal, color: "white", autoQueen: true }, sq("a7"), sq("a8")).play,
  ).toBe("a7a8q");
  const { input } = attempt(NO_INPUT, position, { ...wish, autoQueen: true }, sq("h2"), sq("h1"));
  expect([input.premoves, input.promoting]).toEqual([["h2h1q"], null]);
});

describe("a premove", () => {
  test("is set, replaced and taken back", () => {
    const { input } = attempt(NO_INPUT, start, wish, sq("e7"), sq("e5"));
    expect(input.premoves).toEqual(["e7e5"]);
    expect(attempt(input, start, wish, sq("d7"), sq("d5")).input.premoves).toEqual(["d7d5"]);
    expect(cancel({ ...input, selected: 3 })).toEqual(input);
    expect(cancel(input).premoves).toEqual([]);
  });

  test("is kept where it is the only one and is to be continued from where it leads", () => {
    const input = { ...NO_INPUT, premoves: ["e7e5"] };
    expect(tap(input, start, wish, sq("e5"))).toEqual({ input, isKept: true });
    const onOwn = { ...NO_INPUT, premoves: ["f8g7"] };
    expect(tap(onOwn, start, wish, sq("g7")).input, "an own piece stands there").toMatchObject({
      premoves: ["f8g7"],
      selected: sq("g7"),
    });
  });

  test("is taken away by a tap beside one's pieces where one is kept, and by no tap of several", () => {
    const one = { ...NO_INPUT, premoves: ["e7e5"] };
    for (const name of ["e7", "g8"]) expect(tap(one, start, wish, sq(name)).input.premoves, name).toEqual(one.premoves);
    for (const name of ["e6", "h4", "e2"]) expect(tap(one, start, wish, sq(name)), name).toEqual({ input: NO_INPUT });
    const held = tap(one, start, wish, sq("d7")).input;
    expect(tap(held, start, wish, sq("h4")).input, "it lets go of the piece").toEqual(one);
    const several: InputMode = { ...wish, several: true };
    const both = { ...NO_INPUT, premoves: ["e7e5", "d8h4"] };
    const ahead = displayed(start, both, 1, true);
    for (const name of ["e7", "e6", "d8", "f6", "a4", "e2"])
      expect(tap(both, ahead, several, sq(name)), name).toEqual({ input: both });
  });

  test("lets go of what was picked up to replace it, where it is played before that", () => {
    const input = tap({ ...NO_INPUT, premoves: ["e7e5"] }, start, wish, sq("d7")).input;
    expect(onTurn(input, start, ["e7e5"], 4)).toEqual({ input: NO_INPUT, play: "e7e5" });
    const next = { ...NO_INPUT, selected: sq("d7") };
    expect(onTurn(input, start, ["e7e5"], 4, true), "of several it is the next one").toEqual({
      input: next,
      play: "e7e5",
    });
  });

  test("is played with the turn if it is legal, and else forgotten", () => {
    const input = { ...NO_INPUT, premoves: ["e7e5"] };
    expect(onTurn(input, start, ["e7e5"], 4)).toEqual({ input: NO_INPUT, play: "e7e5" });
    const dropped = { on: 4, uci: "e7e5" };
    const { input: after } = onTurn(input, start, ["a7a6"], 4);
    expect(after).toEqual({ ...NO_INPUT, dropped });
    expect([settled(after, 4), settled(after, 5)], "it is told until the next turn").toEqual([after, NO_INPUT]);
    expect(onTurn(NO_INPUT, start, ["a7a6"], 4), "none was set").toEqual({ input: NO_INPUT });
  });

  test("several follow each other on the board as it will be, and are played one a turn", () => {
    const several: InputMode = { ...wish, several: true };
    const first = attempt(NO_INPUT, start, several, sq("e7"), sq("e5")).input;
    const ahead = displayed(start, first, 1, true);
    expect([ahead.board[sq("e5")]?.role, ahead.board[sq("e7")], ahead.turn]).toEqual(["p", null, start.turn]);
    // A tap on one's own piece begins the next, a tap elsewhere lets go of the piece first.
    const chosen = tap(first, ahead, several, sq("e5")).input;
    expect([chosen.selected, chosen.premoves]).toEqual([sq("e5"), ["e7e5"]]);
    expect(tap(chosen, ahead, several, sq("h1")).input).toEqual(first);
    const both = tap(chosen, ahead, several, sq("d4")).input;
    expect(both.premoves).toEqual(["e7e5", "e5d4"]);
    expect(onTurn(both, start, ["e7e5"], 4)).toEqual({ input: { ...NO_INPUT, premoves: ["e5d4"] }, play: "e7e5" });
    expect(onTurn(both, start, ["a7a6"], 4).input.premoves).toEqual([]);
  });

  test("of several the last is taken back alone, by Escape or by a second tap on its piece where it leads", () => {
    const several: InputMode = { ...wish, several: true };
    const both = { ...NO_INPUT, premoves: ["e7e5", "d7d5"] };
    const ahead = displayed(start, both, 1, true);
    expect(cancel(both).premoves).toEqual(["e7e5"]);
    expect(cancel(cancel(both))).toEqual(NO_INPUT);
    expect(cancel(NO_INPUT), "there is none").toBe(NO_INPUT);
    const twice = (name: string) => tap(tap(both, ahead, several, sq(name)).input, ahead, several, sq(name)).input;
    expect(twice("d5")).toEqual(cancel(both));
    expect(twice("e5"), "an earlier one").toEqual(both);
    expect(twice("h7"), "a piece that has none").toEqual(both);
  });

  test("is not drawn ahead where there is one", () => {
    expect(displayed(start, { ...NO_INPUT, premoves: ["e7e5"] }, 1)).toBe(start);
  });

  test("a promotion begun before the turn is still to be chosen", () => {
    const promoting = { from: sq("e7"), to: sq("e8") };
    expect(onTurn({ ...NO_INPUT, promoting }, start, [], 4).input.promoting).toEqual(promoting);
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
      premoves: ["a2a3", "a3a4"],
      promoting: { from: 1, to: 2 },
      confirming: { on: 1, uci: "a2a3" },
      sent: { on: 1, uci: "a2a3" },
      dropped: { on: 1, uci: "a2a3" },
      cancelledOn: null,
      proof: null,
    }),
  ).toEqual({ ...NO_INPUT, flipped: true, cursor: 3 });
});
