/** Zen: only the board, the clocks and what is needed to play. It holds while a game is played on the screen. Pure. */
import { type App, shownGame } from "./app";

export function isZen(app: App): boolean {
  const game = shownGame(app);
  return app.settings.zen && game !== undefined && game.phase !== "ended";
}
