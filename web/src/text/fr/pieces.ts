/** French: sides and pieces, in words and as letters. */
import type { Catalogue } from "..";

export const sides: Catalogue["sides"] = { white: "Blancs", black: "Noirs" };
export const roles: Catalogue["roles"] = {
  p: "pion",
  n: "cavalier",
  b: "fou",
  r: "tour",
  q: "dame",
  k: "roi",
};
export const letters: Catalogue["letters"] = { p: "", n: "C", b: "F", r: "T", q: "D", k: "R" };

/** `les Blancs`, `Les Blancs`, `des Blancs`: other texts get a side as it stands in `sides`. */
export const les = (side: string): string => `les ${side}`;
export const Les = (side: string): string => `Les ${side}`;
export const des = (side: string): string => `des ${side}`;
