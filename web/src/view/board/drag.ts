/**
 * Taps and drags on the board, from pointer events: mouse, pen and finger alike.
 *
 * A press that moves less than a few pixels is a tap. Anything longer on a movable piece is a drag, which ends on the
 * square under the pointer, or outside.
 */
import type { Square } from "../../chess/square";

const SLACK_PX = 4;

export interface DragHandlers {
  /** Whether the piece on the square can be moved. */
  mayTake(square: Square): boolean;
  tapped(square: Square): void;
  taken(square: Square): void;
  dropped(from: Square, to: Square | null): void;
}

interface Held {
  readonly square: Square;
  readonly piece: SVGElement;
  readonly cell: DOMRect;
  readonly startX: number;
  readonly startY: number;
  moved: boolean;
}

function squareUnder(board: HTMLElement, x: number, y: number): Square | null {
  const box = board.getBoundingClientRect();
  const column = Math.floor(((x - box.left) / box.width) * 8);
  const row = Math.floor(((y - box.top) / box.height) * 8);
  if (column < 0 || column > 7 || row < 0 || row > 7) return null;
  const flipped = board.dataset.flipped === "true";
  return flipped ? row * 8 + 7 - column : (7 - row) * 8 + column;
}

/** Listens on a board; returns a function that stops. */
export function listen(board: HTMLElement, handlers: () => DragHandlers): () => void {
  let held: Held | null = null;

  const release = (): void => {
    if (held) {
      held.piece.style.transform = "";
      held.piece.classList.remove("held");
    }
    held = null;
  };

  const down = (event: PointerEvent): void => {
    if (event.button !== 0 || !event.isPrimary) return;
    const square = squareUnder(board, event.clientX, event.clientY);
    const piece = square === null ? null : board.querySelector<SVGElement>(`[data-square="${square}"] .piece`);
    // Keeps the focus: clicking the board does not take the arrow keys.
    event.preventDefault();
    if (square === null) return;
    if (!piece || !handlers().mayTake(square)) {
      handlers().tapped(square);
      return;
    }
    const cell = piece.getBoundingClientRect();
    held = { square, piece, cell, startX: event.clientX, startY: event.clientY, moved: false };
    board.setPointerCapture(event.pointerId);
  };

  const move = (event: PointerEvent): void => {
    if (!held) return;
    const dx = event.clientX - held.startX;
    const dy = event.clientY - held.startY;
    if (!held.moved && Math.hypot(dx, dy) < SLACK_PX) return;
    if (!held.moved) {
      held.moved = true;
      held.piece.classList.add("held");
      handlers().taken(held.square);
    }
    const x = event.clientX - held.cell.left - held.cell.width / 2;
    const y = event.clientY - held.cell.top - held.cell.height / 2;
    held.piece.style.transform = `translate(${x}px, ${y}px)`;
  };

  const up = (event: PointerEvent): void => {
    if (!held) return;
    const { square, moved } = held;
    release();
    if (moved) handlers().dropped(square, squareUnder(board, event.clientX, event.clientY));
    else handlers().tapped(square);
  };

  // Touching a movable piece moves it; elsewhere on the board the page scrolls.
  const touch = (event: TouchEvent): void => {
    if (held) event.preventDefault();
  };
  const noFocus = (event: MouseEvent): void => event.preventDefault();

  board.addEventListener("pointerdown", down);
  board.addEventListener("pointermove", move);
  board.addEventListener("pointerup", up);
  board.addEventListener("pointercancel", release);
  board.addEventListener("mousedown", noFocus);
  board.addEventListener("touchmove", touch, { passive: false });
  return () => {
    release();
    board.removeEventListener("pointerdown", down);
    board.removeEventListener("pointermove", move);
    board.removeEventListener("pointerup", up);
    board.removeEventListener("pointercancel", release);
    board.removeEventListener("mousedown", noFocus);
    board.removeEventListener("touchmove", touch);
  };
}
