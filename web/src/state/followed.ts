/**
 * The players whom one follows: their accounts are one of the settings, and the server says who of them is here and plays.
 *
 * Pure. Nobody is told by whom they are followed, and nothing of it is at the server but the settings of an account.
 */
import type { ByColor, CategoryRating, GameId, Player, PlayerView } from "#protocol";
import type { App } from "./app";
import { ownGames } from "./ownGames";

/** So many are kept with an account beside the other settings. */
export const FOLLOWED_MAX = 20;

/** What a followed player plays: a game with clocks against oneself, or one that can be watched. */
export type Playing =
  | { readonly kind: "you" }
  /** The opponent is null in a game that the lobby does not show. */
  | { readonly kind: "another"; readonly game: GameId; readonly opponent: string | null };

/** What somebody who is here plays; null is nothing. */
export function playingOf({ account, live }: Player, app: Pick<App, "lobby" | "games" | "account">): Playing | null {
  const isOf = ({ players }: { readonly players: ByColor<PlayerView> }): boolean =>
    players.white.account === account || players.black.account === account;
  const own = ownGames(app);
  if (own.some((game) => game.control.kind === "clock" && isOf(game))) return { kind: "you" };
  const isOwn = (id: GameId): boolean => own.some((game) => game.id === id);
  const shown = app.lobby?.live.games.find((game) => isOf(game) && !isOwn(game.game));
  if (shown) {
    const { white, black } = shown.players;
    return { kind: "another", game: shown.game, opponent: (white.account === account ? black : white).name };
  }
  const game = live.find((id) => !isOwn(id));
  return game === undefined ? null : { kind: "another", game, opponent: null };
}

/** The rating that says most of a player: in the category with the most games. */
export function mainRating(ratings: readonly CategoryRating[]): CategoryRating | null {
  return [...ratings].sort((a, b) => b.games - a.games)[0] ?? null;
}
