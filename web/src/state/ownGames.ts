/** The games that an account plays now, of those that the page knows. Pure. */
import { type Game, seatOf } from "zeitnot-client";
import { type App, shownGame } from "./app";

/** Whether the game goes on and the account is one of its players. */
function isPlaying(account: App["account"], game: Game): boolean {
  return game.phase !== "ended" && seatOf(game, account) !== null;
}

/** Whether the page shows an own game that goes on. */
export function playsHere(app: App): boolean {
  const game = shownGame(app);
  return game !== undefined && isPlaying(app.account, game);
}

/** Whether that game has clocks: while they run nothing else is to be looked at. */
export function playsByClock(app: App): boolean {
  return playsHere(app) && shownGame(app)?.control.kind === "clock";
}

export function ownGames({ games, account }: Pick<App, "games" | "account">): readonly Game[] {
  return Object.values(games).filter((game) => isPlaying(account, game));
}
