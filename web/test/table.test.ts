/** The hand at the board: taps, drags, promotion, premoves, and looking back. */
import { describe, expect, test } from "vitest";
import { START_FEN, readFen } from "../src/chess/position";
import { squareOf } from "../src/chess/square";
import { EMPTY_TABLE, type Hand, aim, cancel, onTurn, promote, putAway, seen, stepTo, tap, targets } from "../src/state/table";

const sq = (name: string): number => squareOf(name) ?? -1;
const start = readFen(START_FEN);
const moves: Hand = { kind: "move", legal: ["e2e4", "e2e3", "g1f3"], color: "white" };
const wish: Hand = { kind: "premove", color: "black" };

describe("a move", () => {
  test("by two taps", () => {
    const first = tap(EMPTY_TABLE, start, moves, sq("e2"));
    expect([first.table.picked, first.play]).toEqual([sq("e2"), undefined]);
    expect(tap(first.table, start, moves, sq("e4")).play).toBe("e2e4");
    expect(tap(first.table, start, moves, sq("e5"))).toEqual({ table: EMPTY_TABLE });
    expect(tap(first.table, start, moves, sq("g1")).table.picked).toBe(sq("g1"));
    expect(tap(first.table, start, moves, sq("e2")).table.picked).toBeNull();
  });

  test("by drag, and a wrong one does nothing", () => {
    expect(aim(EMPTY_TABLE, start, moves, sq("g1"), sq("f3")).play).toBe("g1f3");
    expect(aim(EMPTY_TABLE, start, moves, sq("g1"), sq("g3")).play).toBeUndefined();
    expect(aim(EMPTY_TABLE, start, { kind: "look" }, sq("g1"), sq("f3")).play).toBeUndefined();
  });

  test("castling takes the king's goal or the rook", () => {
    const position = readFen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    const hand: Hand = { kind: "move", legal: ["e1g1", "e1c1", "e1e2"], color: "white" };
    expect(targets(position, hand, sq("e1")).sort((a, b) => a - b)).toEqual([sq("a1"), sq("c1"), sq("g1"), sq("h1"), sq("e2")]);
    expect(aim(EMPTY_TABLE, position, hand, sq("e1"), sq("h1")).play).toBe("e1g1");
    const chess960: Hand = { kind: "move", legal: ["e1h1", "e1a1"], color: "white" };
    expect(aim(EMPTY_TABLE, position, chess960, sq("e1"), sq("g1")).play).toBe("e1h1");
  });

  test("a promotion asks first", () => {
    const position = readFen("8/P6k/8/8/8/8/8/K7 w - - 0 1");
    const hand: Hand = { kind: "move", legal: ["a7a8q", "a7a8n", "a7a8r", "a7a8b"], color: "white" };
    const { table, play } = aim(EMPTY_TABLE, position, hand, sq("a7"), sq("a8"));
    expect([table.promoting, play]).toEqual([{ from: sq("a7"), to: sq("a8") }, undefined]);
    expect(promote(table, position, hand, "n").play).toBe("a7a8n");
    expect(promote(table, position, hand, null)).toEqual({ table: EMPTY_TABLE });
  });

  test("on its way is seen on the board, until the position changes", () => {
    const table = { ...EMPTY_TABLE, sent: { on: 1, uci: "e2e4" } };
    expect(seen(start, table, 1).board[sq("e4")]?.role).toBe("p");
    expect(seen(start, table, 2)).toBe(start);
  });
});

describe("a premove", () => {
  test("is set, replaced and taken back", () => {
    const { table } = aim(EMPTY_TABLE, start, wish, sq("e7"), sq("e5"));
    expect(table.premove).toBe("e7e5");
    expect(aim(table, start, wish, sq("d7"), sq("d5")).table.premove).toBe("d7d5");
    expect(tap(table, start, wish, sq("h4")).table.premove).toBeNull();
    expect(cancel({ ...table, picked: 3 })).toEqual(table);
    expect(cancel(table).premove).toBeNull();
  });

  test("is played with the turn if it is legal, and else forgotten", () => {
    const table = { ...EMPTY_TABLE, premove: "e7e5" };
    expect(onTurn(table, start, ["e7e5"])).toEqual({ table: EMPTY_TABLE, play: "e7e5" });
    expect(onTurn(table, start, ["a7a6"])).toEqual({ table: EMPTY_TABLE });
  });

  test("a promotion begun before the turn is still to be chosen", () => {
    const promoting = { from: sq("e7"), to: sq("e8") };
    expect(onTurn({ ...EMPTY_TABLE, promoting }, start, []).table.promoting).toEqual(promoting);
  });
});

test("stepping stays within the game, and the last ply is the present", () => {
  expect([stepTo(EMPTY_TABLE, -3, 10).cursor, stepTo(EMPTY_TABLE, 4, 10).cursor, stepTo(EMPTY_TABLE, 10, 10).cursor, stepTo(EMPTY_TABLE, 99, 10).cursor]).toEqual([0, 4, null, null]);
});

test("the end of a game empties the hand and keeps the view", () => {
  expect(putAway({ flipped: true, cursor: 3, picked: 1, premove: "a2a3", promoting: { from: 1, to: 2 }, sent: { on: 1, uci: "a2a3" }, proof: null })).toEqual({ ...EMPTY_TABLE, flipped: true, cursor: 3 });
});
