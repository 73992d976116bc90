/** English: sides and pieces, in words and as letters. */
import type { Color, Role } from "../../chess/square";

export const sides: Record<Color, string> = { white: "White", black: "Black" };
export const roles: Record<Role, string> = {
  p: "pawn",
  n: "knight",
  b: "bishop",
  r: "rook",
  q: "queen",
  k: "king",
};
/** The letters in move lists. Typed moves are read with them too. */
export const letters: Record<Role, string> = { p: "", n: "N", b: "B", r: "R", q: "Q", k: "K" };
