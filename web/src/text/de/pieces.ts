/** German: sides and pieces, in words and as letters. */
import type { Catalogue } from "..";

export const sides: Catalogue["sides"] = { white: "Weiß", black: "Schwarz" };
export const roles: Catalogue["roles"] = {
  p: "Bauer",
  n: "Springer",
  b: "Läufer",
  r: "Turm",
  q: "Dame",
  k: "König",
};
export const letters: Catalogue["letters"] = { p: "", n: "S", b: "L", r: "T", q: "D", k: "K" };

/** `von Weiß`: other texts get a side as it stands in `sides`. */
export const genitive = (side: string): string => `von ${side}`;
