/** What is marked on a board, and how each square shows it and says it. Which marks there are, the game decides. */
import { type Piece, type Square, nameOf } from "../../chess/square";
import type { Catalogue } from "../../text";

export interface Marks {
  readonly lastMove: readonly Square[];
  readonly check: Square | null;
  readonly selected: Square | null;
  readonly targets: readonly Square[];
  /** In the order in which they will be played. */
  readonly premoves: readonly { readonly from: Square; readonly to: Square }[];
}

/** Which of the premoves end on a square, counted from 1. */
export function premovesTo(marks: Marks, square: Square): number[] {
  return marks.premoves.flatMap(({ to }, index) => (to === square ? [index + 1] : []));
}

function isInPremove(marks: Marks, square: Square): boolean {
  return marks.premoves.some(({ from, to }) => from === square || to === square);
}

/** The classes of a square. */
export function marksOn(marks: Marks, square: Square, isOccupied: boolean): string {
  const isTarget = marks.targets.includes(square);
  return [
    marks.lastMove.includes(square) ? "last" : "",
    marks.check === square ? "check" : "",
    isInPremove(marks, square) ? "premove" : "",
    marks.selected === square ? "selected" : "",
    isTarget ? (isOccupied ? "target taken" : "target") : "",
  ]
    .filter(Boolean)
    .join(" ");
}

/** What a screen reader says of a square: its name, the piece on it, its marks. */
export function labelOf(text: Catalogue, marks: Marks, square: Square, piece: Piece | null): string {
  const numbers = marks.premoves.length > 1 ? premovesTo(marks, square) : [];
  const said = [
    marks.check === square ? text.board.inCheck : "",
    marks.selected === square ? text.board.selected : "",
    marks.targets.includes(square) ? text.board.target : "",
    numbers.length ? text.board.premoveNumber(numbers.join(", ")) : "",
    !numbers.length && isInPremove(marks, square) ? text.board.premove : "",
    marks.lastMove.includes(square) ? text.board.lastMove : "",
  ].filter(Boolean);
  return text.board.square(
    nameOf(square),
    piece ? text.board.piece(text.sides[piece.color], text.roles[piece.role]) : "",
    said.join(", "),
  );
}
