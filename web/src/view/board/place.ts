/** Where squares are on the screen: the square under a point, and the place of a square counted from the top left. */
import { type Square, fileOf, rankOf } from "../../chess/square";

export interface Place {
  /** 0 to 7, from the left and from the top. */
  readonly column: number;
  readonly row: number;
}

export function placeOf(square: Square, flipped: boolean): Place {
  return flipped
    ? { column: 7 - fileOf(square), row: rankOf(square) }
    : { column: fileOf(square), row: 7 - rankOf(square) };
}

/**
 * The square under a point of the window, or null outside the board. A caller that asks at every move of the pointer
 * gives the box of the board: to measure it then would lay out the page each time.
 */
export function squareUnder(
  board: HTMLElement,
  x: number,
  y: number,
  box: DOMRect = board.getBoundingClientRect(),
): Square | null {
  const column = Math.floor(((x - box.left) / box.width) * 8);
  const row = Math.floor(((y - box.top) / box.height) * 8);
  if (column < 0 || column > 7 || row < 0 || row > 7) return null;
  return board.dataset.flipped === "true" ? row * 8 + 7 - column : (7 - row) * 8 + column;
}
