/** Which pieces a side has more than the other, and what they are worth: read off the position shown, however it came about. */
import type { Position } from "./position";
import { type Color, type Role, other } from "./square";

/** The usual values. */
const VALUES = { q: 9, r: 5, b: 3, n: 3, p: 1 } as const;
const ROLES = ["q", "r", "b", "n", "p"] as const;

export interface Material {
  /** What the side has more of, the most valuable first. */
  readonly more: readonly { readonly role: Role; readonly count: number }[];
  /** By how many pawns all that the side has is worth more; negative if it is worth less. */
  readonly ahead: number;
}

/** What a side has in comparison with the other. */
export function materialOf(color: Color, { board }: Position): Material {
  const count = (of: Color, role: Role): number =>
    board.filter((piece) => piece?.color === of && piece.role === role).length;
  const differences = ROLES.map((role) => ({ role, count: count(color, role) - count(other(color), role) }));
  return {
    more: differences.filter((one) => one.count > 0),
    ahead: differences.reduce((sum, one) => sum + one.count * VALUES[one.role], 0),
  };
}
