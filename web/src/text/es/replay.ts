/** Spanish: a finished game that plays itself on the home page. */
import type { Catalogue } from "..";

export const replay: Catalogue["replay"] = {
  label: "Una partida para ver",
  famous: "Una partida célebre:",
  played: "Una partida jugada aquí:",
  elsewhere: "Una partida del archivo:",
  opera: "En la Ópera de París, 1858",
  players: (white, black) => `${white} – ${black}`,
  start: "La partida empieza",
  play: "Reproducir",
  pause: "Pausa",
  again: "Ver otra vez",
  back: "Una jugada atrás",
  forward: "Una jugada adelante",
};
