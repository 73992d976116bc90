/**
 * Taps and drags on the board, from pointer events: mouse, pen and finger alike.
 *
 * A press that moves less than a few pixels is a tap. Anything longer on a movable piece is a drag, which ends on the
 * square under the pointer, or outside. While it lasts, piece and mark are moved on the screen alone: nothing renders.
 */
import type { Square } from "../../chess/square";
import { placeOf, squareUnder } from "./place";

const SLACK_PX = 4;
/** Of the buttons that are down, the right one: it gives up the drag. */
const RIGHT = 2;

export interface DragHandlers {
  /** Whether the piece on the square can be moved. */
  mayTake(square: Square): boolean;
  /** The board was pressed, whatever follows. */
  pressed(): void;
  tapped(square: Square): void;
  taken(square: Square): void;
  dropped(from: Square, to: Square | null): void;
}

interface Held {
  readonly square: Square;
  readonly piece: SVGElement;
  /** Measured at the press. */
  readonly board: DOMRect;
  readonly cell: DOMRect;
  readonly startX: number;
  readonly startY: number;
  /** A finger hides the piece under it, so that the piece is drawn above the finger, and larger. */
  readonly byFinger: boolean;
  over: Square | null;
  moved: boolean;
}

/** Listens on a board; returns a function that stops. `mark` shows the square under the piece. */
export function listenToDrags(board: HTMLElement, mark: HTMLElement, handlers: DragHandlers): () => void {
  let held: Held | null = null;

  const release = (): void => {
    if (held) {
      held.piece.style.transform = "";
      held.piece.classList.remove("held");
    }
    held = null;
    mark.className = "hover-mark";
  };

  const showOver = (square: Square | null, byFinger: boolean): void => {
    mark.className = square === null ? "hover-mark" : `hover-mark ${byFinger ? "by-finger" : "by-mouse"}`;
    if (square === null) return;
    const { column, row } = placeOf(square, board.dataset.flipped === "true");
    mark.style.transform = `translate(${column * 100}%, ${row * 100}%)`;
  };

  const down = (event: PointerEvent): void => {
    if (event.button !== 0 || !event.isPrimary) return;
    const box = board.getBoundingClientRect();
    const square = squareUnder(board, event.clientX, event.clientY, box);
    const piece = square === null ? null : board.querySelector<SVGElement>(`[data-square="${square}"] .piece`);
    // Keeps the focus: clicking the board does not take the arrow keys.
    event.preventDefault();
    if (square === null) return;
    handlers.pressed();
    if (!piece || !handlers.mayTake(square)) {
      handlers.tapped(square);
      return;
    }
    // A piece that still glides is taken at its square: its animation would override the drag.
    for (const glide of piece.getAnimations()) glide.cancel();
    const cell = piece.getBoundingClientRect();
    const byFinger = event.pointerType === "touch";
    const [startX, startY] = [event.clientX, event.clientY];
    held = { square, piece, cell, byFinger, startX, startY, board: box, over: null, moved: false };
    board.setPointerCapture(event.pointerId);
  };

  const move = (event: PointerEvent): void => {
    if (held && event.buttons & RIGHT) release();
    if (!held) return;
    const { cell, byFinger } = held;
    const dx = event.clientX - held.startX;
    const dy = event.clientY - held.startY;
    if (!held.moved && Math.hypot(dx, dy) < SLACK_PX) return;
    if (!held.moved) {
      held.moved = true;
      held.piece.classList.add("held");
      handlers.taken(held.square);
    }
    const x = event.clientX - cell.left - cell.width / 2;
    const y = event.clientY - cell.top - cell.height / 2;
    held.piece.style.transform = byFinger
      ? `translate(${x}px, ${y - cell.height * 0.6}px) scale(1.5)`
      : `translate(${x}px, ${y}px)`;
    const over = squareUnder(board, event.clientX, event.clientY, held.board);
    if (over === held.over) return;
    held.over = over;
    showOver(over, byFinger);
  };

  const up = (event: PointerEvent): void => {
    if (!held) return;
    const { square, moved } = held;
    // The page may have been scrolled since the press. Measured before the release, which would have it laid out anew.
    const to = moved ? squareUnder(board, event.clientX, event.clientY) : null;
    release();
    if (moved) handlers.dropped(square, to);
    else handlers.tapped(square);
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
