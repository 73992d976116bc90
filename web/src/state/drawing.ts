/**
 * Arrows and circles on a board, as values: the notes of one person, of which the server learns nothing.
 *
 * There is one arrow between two squares and one circle on a square: drawn again in the same colour it goes, in another
 * it changes.
 */
import type { Square } from "../chess/square";

export type DrawingColor = "green" | "red" | "blue" | "yellow";

/** From a square to itself: a circle. */
export interface Drawing {
  readonly from: Square;
  readonly to: Square;
  readonly color: DrawingColor;
}

export const isCircle = ({ from, to }: Drawing): boolean => from === to;

export function toggleDrawing(drawings: readonly Drawing[], drawing: Drawing): readonly Drawing[] {
  const same = drawings.find(({ from, to }) => from === drawing.from && to === drawing.to);
  const others = drawings.filter((one) => one !== same);
  return same?.color === drawing.color ? others : [...others, drawing];
}
