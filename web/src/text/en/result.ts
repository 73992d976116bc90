/** The English texts of the card with the result of a game. Part of the catalogue in `en`. */
import { signed } from "../signed";

export const result = {
  details: "Result card",
  close: "Close the card",
  why: "Why?",
  yourRating: (after: number, change: number) => `Your rating: ${after} (${signed(change)})`,
  rating: (side: string, after: number, change: number) => `${side}: ${after} (${signed(change)})`,
  provisional: "provisional",
};
