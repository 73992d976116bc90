/** French: a finished game that plays itself on the home page. */
import type { Catalogue } from "..";

export const replay: Catalogue["replay"] = {
  label: "Une partie à regarder",
  famous: "Une partie célèbre :",
  played: "Une partie jouée ici :",
  elsewhere: "Une partie des archives :",
  opera: "À l’Opéra de Paris, 1858",
  players: (white, black) => `${white} – ${black}`,
  start: "La partie commence",
  play: "Lecture",
  pause: "Pause",
  again: "Revoir",
  back: "Un coup en arrière",
  forward: "Un coup en avant",
};
