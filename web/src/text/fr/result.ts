/** French: the card with the result of a game. */
import type { Catalogue } from "..";

export const result: Catalogue["result"] = {
  details: "Fiche du résultat",
  close: "Fermer la fiche",
  why: "Pourquoi ?",
  yourRating: (after, change) => `Votre classement : ${after} (${change})`,
  rating: (side, after, change) => `${side} : ${after} (${change})`,
  provisional: "provisoire",
};
