/**
 * Squares, colours and pieces as small values: a square is 0 to 63, a1 is 0, b1 is 1, h8 is 63.
 *
 * Knows no rules.
 */

export type Color = "white" | "black";
export type Role = "p" | "n" | "b" | "r" | "q" | "k";
export type Square = number;

export interface Piece {
  readonly color: Color;
  readonly role: Role;
}

export const ROLES: readonly Role[] = ["p", "n", "b", "r", "q", "k"];

export function other(color: Color): Color {
  return color === "white" ? "black" : "white";
}

export const fileOf = (square: Square): number => square & 7;
export const rankOf = (square: Square): number => square >> 3;

/** The square on a file and rank from 0, or null outside the board. */
export function squareAt(file: number, rank: number): Square | null {
  return file < 0 || file > 7 || rank < 0 || rank > 7 ? null : rank * 8 + file;
}

export function nameOf(square: Square): string {
  return "abcdefgh".charAt(fileOf(square)) + String(rankOf(square) + 1);
}

/** The square of a name such as `e4`, or null. */
export function squareOf(name: string): Square | null {
  if (!/^[a-h][1-8]$/.test(name)) return null;
  return squareAt(name.charCodeAt(0) - 97, name.charCodeAt(1) - 49);
}

export interface UciParts {
  readonly from: Square;
  readonly to: Square;
  readonly promotion: Role | null;
}

/** The parts of a move such as `e7e8q`, or null if it has not that form. */
export function readUci(uci: string): UciParts | null {
  const match = /^([a-h][1-8])([a-h][1-8])([nbrq]?)$/.exec(uci);
  if (!match) return null;
  const from = squareOf(match[1] ?? "");
  const to = squareOf(match[2] ?? "");
  if (from === null || to === null) return null;
  return { from, to, promotion: (match[3] || null) as Role | null };
}

export function writeUci(from: Square, to: Square, promotion: Role | null = null): string {
  return nameOf(from) + nameOf(to) + (promotion ?? "");
}
