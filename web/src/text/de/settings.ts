/** German: the settings. */
import type { Catalogue } from "..";

export const settings: Catalogue["settings"] = {
  title: "Einstellungen",
  board: "Brett",
  boardColors: {
    label: "Farben des Bretts",
    names: {
      wood: "Holz",
      green: "Grün",
      blue: "Blau",
      grey: "Grau",
      purple: "Violett",
      contrast: "Hoher Kontrast",
    },
  },
  pieces: { label: "Figuren", names: { staunton: "Staunton", modern: "Modern", simple: "Schlicht" } },
  coordinates: "Koordinaten",
  legalMoves: "Mögliche Züge markieren",
  animation: "Züge animieren",
  play: "Spiel",
  premoves: { label: "Vorauszüge", names: { none: "Keine", one: "Einer", several: "Mehrere" } },
  moveConfirmation: "Jeden Zug bestätigen",
  autoQueen: "Immer in eine Dame umwandeln",
  view: "Ansicht",
  theme: { label: "Farben der Seite", names: { system: "System", light: "Hell", dark: "Dunkel" } },
  language: "Sprache",
  largeClocks: "Große Uhren",
  zen: "Zen: nur Brett und Uhren (z)",
  zenOn: "Nur Brett und Uhren sind zu sehen. Escape zeigt wieder alles.",
  zenOff: "Alles ist zu sehen.",
  zenLeave: "Zen verlassen",
  sounds: "Töne",
  vibration: "Vibrieren, wenn ich am Zug bin",
  volume: "Lautstärke",
  soundOn: "Ton ist an",
  soundOff: "Ton ist aus",
};
