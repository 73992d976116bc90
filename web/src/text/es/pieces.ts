/** Spanish: sides and pieces, in words and as letters. */
import type { Catalogue } from "..";

export const sides: Catalogue["sides"] = { white: "Blancas", black: "Negras" };
export const roles: Catalogue["roles"] = {
  p: "peón",
  n: "caballo",
  b: "alfil",
  r: "torre",
  q: "dama",
  k: "rey",
};
export const letters: Catalogue["letters"] = { p: "", n: "C", b: "A", r: "T", q: "D", k: "R" };

/** `las blancas`, `Las blancas`: other texts get a side as it stands in `sides`. */
export const las = (side: string): string => `las ${side.toLowerCase()}`;
export const Las = (side: string): string => `Las ${side.toLowerCase()}`;
