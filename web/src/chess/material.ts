/**
 * What has been captured in a game, and who has more: read off the first position and the one shown.
 *
 * A pawn that has promoted counts as not captured; once the piece it became is captured, it counts as a pawn.
 */
import type { Position } from "./position";
import { type Color, type Role, other } from "./square";

/** The usual values. A king is never captured. */
const VALUES: Readonly<Record<Role, number>> = { p: 1, n: 3, b: 3, r: 5, q: 9, k: 0 };
const PIECES = ["q", "r", "b", "n"] as const;

export interface Captured {
  /** The most valuable first. */
  readonly pieces: readonly { readonly role: Role; readonly count: number }[];
  /** By how many pawns the side has more than the other; negative if it has less. */
  readonly ahead: number;
}

function count(position: Position, color: Color, role: Role): number {
  return position.board.filter((piece) => piece?.color === color && piece.role === role).length;
}

function worth(position: Position, color: Color): number {
  return position.board.reduce((sum, piece) => sum + (piece?.color === color ? VALUES[piece.role] : 0), 0);
}

/** What `by` has captured. */
export function capturedBy(by: Color, start: Position, now: Position): Captured {
  const from = other(by);
  const missing = (role: Role): number => count(start, from, role) - count(now, from, role);
  const promoted = PIECES.reduce((sum, role) => sum + Math.max(0, -missing(role)), 0);
  const pieces = [...PIECES, "p" as const].map((role) => ({
    role,
    count: Math.max(0, missing(role) - (role === "p" ? promoted : 0)),
  }));
  return { pieces: pieces.filter((piece) => piece.count > 0), ahead: worth(now, by) - worth(now, from) };
}
