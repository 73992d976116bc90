/** The simple set: discs that carry the letters of the list of moves, in the reader's language. A pawn carries none. */
import type { PieceShape, PieceShapes } from "./shape";

const LETTER: PieceShape = {
  body: ["M3.5 24a20.5 20.5 0 1 1 41 0a20.5 20.5 0 1 1 -41 0z"],
  lines: [],
  dots: [],
  lettered: true,
};

export const SIMPLE: PieceShapes = {
  p: { body: ["M11.5 24a12.5 12.5 0 1 1 25 0a12.5 12.5 0 1 1 -25 0z"], lines: [], dots: [] },
  n: LETTER,
  b: LETTER,
  r: LETTER,
  q: LETTER,
  k: LETTER,
};
