/** English: a finished game that plays itself on the home page. */
export const replay = {
  label: "A game to look at",
  famous: "A famous game:",
  played: "A game that was played here:",
  elsewhere: "A game from the archive:",
  opera: "At the Paris opera, 1858",
  players: (white: string, black: string) => `${white} – ${black}`,
  start: "The game begins",
  play: "Play",
  pause: "Pause",
  again: "Play again",
  back: "One move back",
  forward: "One move forward",
};
