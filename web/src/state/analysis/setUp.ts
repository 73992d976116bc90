/**
 * A position that somebody sets up: pieces, the side to move, the rights to castle and what may be captured en passant, as a
 * FEN. Pure.
 *
 * Knows no rules: whether the position is possible is for the server to say. Castling is that of standard chess.
 */
import { type Position, readFen, writeFen } from "../../chess/position";
import { type Color, type Piece, type Square, fileOf, nameOf } from "../../chess/square";

export interface SetUp {
  /** 64 squares from a1. */
  readonly board: readonly (Piece | null)[];
  readonly turn: Color;
  /** The corners whose rooks may castle, if king and rook stand where they began. */
  readonly rights: readonly Square[];
  /** The square that a pawn has just passed over, if one can have. */
  readonly enPassant: Square | null;
}

/** The corners, White's first and the short side first. */
export const CORNERS: readonly Square[] = [7, 0, 63, 56];

export function setUpOf(fen: string): SetUp {
  const { board, turn, castling, enPassant } = readFen(fen);
  return { board, turn, rights: castling.filter((rook) => CORNERS.includes(rook)), enPassant };
}

/** Without pieces. */
export const cleared = (setUp: SetUp): SetUp => ({
  ...setUp,
  board: setUp.board.map(() => null),
  rights: [],
  enPassant: null,
});

/** With a piece on a square; null, or the piece that stands there: with none. */
export function withPiece(setUp: SetUp, square: Square, piece: Piece | null): SetUp {
  const old = setUp.board[square];
  const isSame = piece !== null && old?.role === piece.role && old.color === piece.color;
  return { ...setUp, board: setUp.board.map((one, at) => (at === square ? (isSame ? null : piece) : one)) };
}

/** With a piece on another square; null: beside the board. */
export function withMoved(setUp: SetUp, from: Square, to: Square | null): SetUp {
  if (from === to) return setUp;
  const piece = setUp.board[from] ?? null;
  return { ...setUp, board: setUp.board.map((one, at) => (at === from ? null : at === to ? piece : one)) };
}

export function withRight(setUp: SetUp, corner: Square, isGranted: boolean): SetUp {
  const others = setUp.rights.filter((one) => one !== corner);
  return { ...setUp, rights: isGranted ? [...others, corner] : others };
}

/** Whose rook castles from a corner. */
export function colorOf(corner: Square): Color {
  return corner < 8 ? "white" : "black";
}

/** Whether king and rook of a corner stand where they began. */
export function mayCastle({ board }: SetUp, corner: Square): boolean {
  const color = colorOf(corner);
  const is = (square: Square, role: Piece["role"]): boolean =>
    board[square]?.role === role && board[square]?.color === color;
  return is(corner, "r") && is(corner < 8 ? 4 : 60, "k");
}

/**
 * The squares that a pawn can have passed over in the last move: it stands behind them, where it comes from is free, and a
 * pawn of the side to move stands beside it.
 */
export function passedIn({ board, turn }: SetUp): readonly Square[] {
  const up = turn === "white" ? 8 : -8;
  const first = turn === "white" ? 40 : 16;
  const isPawn = (square: Square, isOfMover: boolean): boolean => {
    const piece = board[square];
    return piece?.role === "p" && (piece.color === turn) === isOfMover;
  };
  return [0, 1, 2, 3, 4, 5, 6, 7].flatMap((file) => {
    const square = first + file;
    const pawn = square - up;
    const isPassed = isPawn(pawn, false) && board[square] === null && board[square + up] === null;
    const beside = [pawn - 1, pawn + 1].filter((one) => Math.abs(fileOf(one) - file) === 1);
    return isPassed && beside.some((one) => isPawn(one, true)) ? [square] : [];
  });
}

/** What the board shows, and what becomes a FEN. */
export function positionOf(setUp: SetUp): Position {
  const { board, turn, rights } = setUp;
  const castling = rights.filter((corner) => mayCastle(setUp, corner));
  const enPassant = passedIn(setUp).find((square) => square === setUp.enPassant) ?? null;
  return { board, turn, castling, enPassant, quiet: 0, fullmove: 1 };
}

export const fenOfSetUp = (setUp: SetUp): string => writeFen(positionOf(setUp));

/** How castling with the rook of a corner is written. */
export const castlingName = (corner: Square): string => (nameOf(corner).startsWith("h") ? "O-O" : "O-O-O");
