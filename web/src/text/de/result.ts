/** The German texts of the card with the result of a game. */
import type { Catalogue } from "..";

export const result: Catalogue["result"] = {
  details: "Ergebnis",
  close: "Karte schließen",
  why: "Warum?",
  yourRating: (after, change) => `Deine Wertung: ${after} (${change})`,
  rating: (side, after, change) => `${side}: ${after} (${change})`,
  provisional: "vorläufig",
};
