/** French: the settings. */
import type { Catalogue } from "..";

export const settings: Catalogue["settings"] = {
  title: "Réglages",
  board: "Échiquier",
  boardColors: {
    label: "Couleurs de l’échiquier",
    names: { wood: "Bois", green: "Vert", blue: "Bleu", grey: "Gris", purple: "Violet", contrast: "Contraste élevé" },
  },
  pieces: { label: "Pièces", names: { staunton: "Staunton", modern: "Modernes", simple: "Simples" } },
  coordinates: "Coordonnées",
  legalMoves: "Marquer les coups possibles",
  animation: "Coups animés",
  play: "Jeu",
  premoves: { label: "Coups anticipés", names: { none: "Aucun", one: "Un", several: "Plusieurs" } },
  moveConfirmation: "Confirmer chaque coup",
  autoQueen: "Toujours promouvoir en dame",
  view: "Affichage",
  theme: { label: "Couleurs de la page", names: { system: "Système", light: "Clair", dark: "Sombre" } },
  language: "Langue",
  largeClocks: "Grandes pendules",
  zen: "Zen : échiquier et pendules seulement (z)",
  zenOn: "Seuls l’échiquier et les pendules sont affichés. Échap montre tout.",
  zenOff: "Tout est affiché.",
  zenLeave: "Quitter le zen",
  sounds: "Sons",
  vibration: "Vibrer quand c’est à moi de jouer",
  volume: "Volume",
  soundOn: "Le son est activé",
  soundOff: "Le son est coupé",
};
