/** Spanish: the card with the result of a game. */
import type { Catalogue } from "..";
import { signed } from "../signed";

export const result: Catalogue["result"] = {
  details: "Ficha del resultado",
  close: "Cerrar la ficha",
  why: "¿Por qué?",
  yourRating: (after, change) => `Tu puntuación: ${after} (${signed(change)})`,
  rating: (side, after, change) => `${side}: ${after} (${signed(change)})`,
  provisional: "provisional",
};
