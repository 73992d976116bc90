/** German: a finished game that plays itself on the home page. */
import type { Catalogue } from "..";

export const replay: Catalogue["replay"] = {
  label: "Eine Partie zum Ansehen",
  famous: "Eine berühmte Partie:",
  played: "Eine Partie, die hier gespielt wurde:",
  elsewhere: "Eine Partie aus dem Archiv:",
  opera: "In der Pariser Oper, 1858",
  players: (white, black) => `${white} – ${black}`,
  start: "Die Partie beginnt",
  play: "Abspielen",
  pause: "Anhalten",
  again: "Noch einmal",
  back: "Einen Zug zurück",
  forward: "Einen Zug vor",
};
