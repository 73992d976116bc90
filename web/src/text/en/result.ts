/** The English texts of the card with the result of a game. Part of the catalogue in `en`. */

export const result = {
  details: "Result card",
  close: "Close the card",
  why: "Why?",
  yourRating: (after: number, change: string) => `Your rating: ${after} (${change})`,
  rating: (side: string, after: number, change: string) => `${side}: ${after} (${change})`,
  provisional: "provisional",
};
