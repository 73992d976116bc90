/**
 * Arrows and circles by the right button: a drag draws an arrow, a click circles a square. Shift or Ctrl draws in red,
 * Alt in blue, both in yellow.
 *
 * Keeps nothing: what is drawn belongs to the board.
 */
import type { Drawing, DrawingColor } from "../../state/drawing";
import type { Square } from "../../chess/square";
import { squareUnder } from "./place";

const RIGHT = 2;

export interface DrawingHandlers {
  /** Called when the button is pressed. */
  mayBegin(): boolean;
  previewed(drawing: Drawing | null): void;
  drawn(drawing: Drawing): void;
}

function colorOf(event: MouseEvent): DrawingColor {
  const red = event.shiftKey || event.ctrlKey;
  if (event.altKey) return red ? "yellow" : "blue";
  return red ? "red" : "green";
}

/** Listens on a board; returns a function that stops. */
export function listenToDrawing(board: HTMLElement, handlers: DrawingHandlers): () => void {
  let begun: { readonly from: Square; readonly color: DrawingColor } | null = null;

  const down = (event: PointerEvent): void => {
    if (event.button !== RIGHT) return;
    const from = squareUnder(board, event.clientX, event.clientY);
    if (from === null || !handlers.mayBegin()) return;
    begun = { from, color: colorOf(event) };
    board.setPointerCapture(event.pointerId);
    handlers.previewed({ ...begun, to: from });
  };
  const move = (event: PointerEvent): void => {
    // A drag of a piece comes by here too: to measure the board then would lay out the page at each move of the pointer.
    if (!begun) return;
    const to = squareUnder(board, event.clientX, event.clientY);
    handlers.previewed(to === null ? null : { ...begun, to });
  };
  const end = (): void => {
    begun = null;
    handlers.previewed(null);
  };
  const up = (event: PointerEvent): void => {
    if (!begun) return;
    const to = squareUnder(board, event.clientX, event.clientY);
    if (to !== null) handlers.drawn({ ...begun, to });
    end();
  };
  const noMenu = (event: MouseEvent): void => event.preventDefault();

  board.addEventListener("pointerdown", down);
  board.addEventListener("pointermove", move);
  board.addEventListener("pointerup", up);
  board.addEventListener("pointercancel", end);
  board.addEventListener("contextmenu", noMenu);
  return () => {
    board.removeEventListener("pointerdown", down);
    board.removeEventListener("pointermove", move);
    board.removeEventListener("pointerup", up);
    board.removeEventListener("pointercancel", end);
    board.removeEventListener("contextmenu", noMenu);
  };
}
