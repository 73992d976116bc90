/** The German texts of the card with the result of a game. */
import type { Catalogue } from "..";
import { signed } from "../signed";

export const result: Catalogue["result"] = {
  details: "Ergebnis",
  close: "Karte schließen",
  why: "Warum?",
  yourRating: (after, change) => `Deine Wertung: ${after} (${signed(change)})`,
  rating: (side, after, change) => `${side}: ${after} (${signed(change)})`,
  provisional: "vorläufig",
};
