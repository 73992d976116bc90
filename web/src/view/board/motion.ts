/**
 * Animates pieces to their new squares after the board has rendered.
 *
 * Compares two positions, not moves: stepping back, takebacks and castling are animated like any move. Does nothing
 * with reduced motion.
 */
import type { Position } from "../../chess/position";
import { type Square, fileOf, rankOf } from "../../chess/square";

const GLIDE_MS = 160;

interface Glide {
  readonly from: Square;
  readonly to: Square;
}

/** Pairs each piece that appeared with the nearest one of its kind that vanished. */
export function glides(before: Position, after: Position): Glide[] {
  const vanished: Square[] = [];
  const appeared: Square[] = [];
  for (let square = 0; square < 64; square += 1) {
    const old = before.board[square];
    const now = after.board[square];
    if (old?.color === now?.color && old?.role === now?.role) continue;
    if (old) vanished.push(square);
    if (now) appeared.push(square);
  }
  // A new position, not a move.
  if (appeared.length > 4) return [];
  return appeared.flatMap((to) => {
    const piece = after.board[to];
    const likes = vanished.filter(
      (from) => before.board[from]?.role === piece?.role && before.board[from]?.color === piece?.color,
    );
    likes.sort((a, b) => distance(a, to) - distance(b, to));
    return likes[0] === undefined ? [] : [{ from: likes[0], to }];
  });
}

function distance(a: Square, b: Square): number {
  return Math.abs(fileOf(a) - fileOf(b)) + Math.abs(rankOf(a) - rankOf(b));
}

export function glide(board: HTMLElement, before: Position, after: Position, flipped: boolean): void {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const sign = flipped ? -1 : 1;
  for (const { from, to } of glides(before, after)) {
    const piece = board.querySelector(`[data-square="${to}"] .piece`);
    const x = (fileOf(from) - fileOf(to)) * 100 * sign;
    const y = (rankOf(to) - rankOf(from)) * 100 * sign;
    piece?.animate(
      [
        { transform: `translate(${x}%, ${y}%)`, zIndex: 2 },
        { transform: "none", zIndex: 2 },
      ],
      { duration: GLIDE_MS, easing: "ease-out" },
    );
  }
}
