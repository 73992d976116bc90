/** A position that is set up: pieces, the side to move, the rights to castle, what may be captured en passant, and its FEN. */
import { expect, test } from "vitest";
import { START_FEN } from "../src/chess/position";
import { nameOf } from "../src/chess/square";
import {
  castlingName,
  cleared,
  CORNERS,
  fenOfSetUp,
  mayCastle,
  passedIn,
  setUpOf,
  withMoved,
  withPiece,
  withRight,
} from "../src/state/analysis/setUp";

const start = setUpOf(START_FEN);
const pawn = { color: "white", role: "p" } as const;

test("a position is taken over, without its counters", () => {
  expect(fenOfSetUp(start)).toBe(START_FEN);
  expect(fenOfSetUp(setUpOf("4k3/8/8/8/3pP3/8/8/4K2R b K e3 4 30"))).toBe("4k3/8/8/8/3pP3/8/8/4K2R b K e3 0 1");
});

test("a square can be captured on en passant while a pawn can have passed it and another one stands beside that pawn", () => {
  const passed = setUpOf("4k3/8/8/pP5p/3pP2P/8/8/4K3 b - e3 0 1");
  expect(passedIn(passed).map(nameOf)).toEqual(["e3"]);
  expect(passedIn({ ...passed, turn: "white" }).map(nameOf)).toEqual(["a6"]);
  expect(passedIn(withPiece(passed, 12, pawn)), "the pawn comes from e2").toEqual([]);
  expect(fenOfSetUp(withMoved(passed, 27, 26)).split(" ")[3], "nobody stands beside it").toBe("-");
  expect(cleared(passed).enPassant).toBe(null);
});

test("a piece is put down, replaces another one, and is taken away where it stands already", () => {
  const empty = cleared(start);
  expect(fenOfSetUp(empty)).toBe("8/8/8/8/8/8/8/8 w - - 0 1");
  const one = withPiece(empty, 28, pawn);
  expect(fenOfSetUp(one)).toBe("8/8/8/8/4P3/8/8/8 w - - 0 1");
  expect(fenOfSetUp(withPiece(one, 28, { color: "black", role: "p" }))).toBe("8/8/8/8/4p3/8/8/8 w - - 0 1");
  expect(withPiece(one, 28, pawn)).toEqual(empty);
  expect(withPiece(one, 28, null)).toEqual(empty);
});

test("a piece that is moved leaves its square, captures, and goes beside the board", () => {
  expect(fenOfSetUp(withMoved(start, 12, 52))).toBe("rnbqkbnr/ppppPppp/8/8/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1");
  expect(fenOfSetUp(withMoved(start, 12, null))).toBe("rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1");
  expect(withMoved(start, 12, 12)).toBe(start);
});

test("a right to castle counts while king and rook stand where they began", () => {
  expect(CORNERS.map(castlingName)).toEqual(["O-O", "O-O-O", "O-O", "O-O-O"]);
  expect(fenOfSetUp(withRight(start, 7, false)).split(" ")[2]).toBe("Qkq");
  const away = withMoved(start, 60, 44);
  expect([mayCastle(away, 7), mayCastle(away, 63)]).toEqual([true, false]);
  expect(fenOfSetUp(away).split(" ")[2]).toBe("KQ");
  expect(fenOfSetUp(withMoved(away, 44, 60)).split(" ")[2], "and again when they are back").toBe("KQkq");
  expect(fenOfSetUp(withRight(cleared(start), 7, true)).split(" ")[2]).toBe("-");
});
