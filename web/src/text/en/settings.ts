/** English: the settings. */
import type { BoardColors, PieceSet, Premoves, Theme } from "../../state/settings";

const boardColors: Record<BoardColors, string> = {
  wood: "Wood",
  green: "Green",
  blue: "Blue",
  grey: "Grey",
  purple: "Purple",
  rose: "Rose",
  sand: "Sand",
  sky: "Sky blue",
  turquoise: "Turquoise",
  contrast: "High contrast",
  walnut: "Walnut",
  maple: "Maple",
  marble: "Marble",
  emerald: "Green marble",
};
const pieces: Record<PieceSet, string> = {
  staunton: "Staunton",
  classic: "Classic",
  celtic: "Celtic",
  fantasy: "Fantasy",
  kosal: "Kosal",
  modern: "Modern",
  geometric: "Geometric",
  round: "Round",
  simple: "Simple",
};
const premoves: Record<Premoves, string> = { none: "None", one: "One", several: "Several" };
const themes: Record<Theme, string> = { system: "System", light: "Light", dark: "Dark" };

export const settings = {
  title: "Settings",
  board: "Board",
  boardColors: { label: "Colours of the board", names: boardColors },
  pieces: {
    label: "Pieces",
    names: pieces,
    failed: "These pieces could not be loaded. Try again later.",
    drawnBy: (author: string) => `Drawn by ${author}`,
  },
  coordinates: "Coordinates",
  legalMoves: "Mark where a piece may go",
  animation: "Animate moves",
  play: "Play",
  premoves: { label: "Premoves", names: premoves },
  moveConfirmation: "Confirm each move",
  autoQueen: "Always promote to a queen",
  view: "View",
  theme: { label: "Colours of the page", names: themes },
  language: "Language",
  largeClocks: "Large clocks",
  zen: "Zen: only board and clocks (z)",
  zenOn: "Only board and clocks are shown. Escape shows everything.",
  zenOff: "Everything is shown.",
  zenLeave: "Leave zen",
  sounds: "Sounds",
  vibration: "Vibrate on my move",
  volume: "Volume",
  soundOn: "Sound is on",
  soundOff: "Sound is off",
};
