/** Zen: only the board, the clocks and what is needed to play. It holds while a game is played on the screen. Pure. */
import type { App } from "./app";

export function isZen({ settings, route, games }: App): boolean {
  const game = route.at === "game" ? games[route.id] : undefined;
  return settings.zen && game !== undefined && game.phase !== "ended";
}
