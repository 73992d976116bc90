/** English: the page that is shown without a network. Not part of the catalogue: the service worker has no other text. */

export const offline = {
  title: "No connection",
  text: "Zeitnot cannot be reached. Games go on at the server: moves that it has confirmed are safe, and clocks run.",
  again: "Try again",
};

export type Offline = typeof offline;
