/** Spanish: the card with the result of a game. */
import type { Catalogue } from "..";

export const result: Catalogue["result"] = {
  details: "Ficha del resultado",
  close: "Cerrar la ficha",
  why: "¿Por qué?",
  yourRating: (after, change) => `Tu puntuación: ${after} (${change})`,
  rating: (side, after, change) => `${side}: ${after} (${change})`,
  provisional: "provisional",
};
