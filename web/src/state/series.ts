/**
 * The score of a game and the games before it of which each was the rematch of the one before.
 *
 * Pure. It says nothing rather than count too few: every one of these games must be known with its result.
 */
import type { GameId } from "#protocol";
import type { Game } from "zeitnot-client";
import { type Color, other } from "../chess/square";
import type { Rematches } from "./rematch";

export interface Series {
  readonly games: number;
  /** In points, a draw is half of one. */
  readonly own: number;
  readonly theirs: number;
}

/** For the player `seat` of the game `id`, who changes colours from game to game; null for a single game too. */
export function seriesOf(
  games: Readonly<Record<GameId, Game>>,
  rematches: Rematches,
  id: GameId,
  seat: Color,
): Series | null {
  const before = new Map(Object.entries(rematches).map(([game, { challenge }]) => [challenge as string, game]));
  const account = games[id]?.players[seat].account;
  const seen = new Set<GameId>();
  let sum: Series = { games: 0, own: 0, theirs: 0 };
  for (let at: GameId | undefined = id; at !== undefined; at = before.get(at)) {
    const game: Game | undefined = games[at];
    if (!game?.outcome || seen.has(at)) return null;
    seen.add(at);
    const own: Color = game.players.white.account === account ? "white" : "black";
    const points = pointsOf(game.outcome.score);
    sum = { games: sum.games + 1, own: sum.own + points[own], theirs: sum.theirs + points[other(own)] };
  }
  return sum.games > 1 ? sum : null;
}

function pointsOf(score: string): Record<Color, number> {
  const [white, black] = score.split("-").map((points) => (points === "1/2" ? 0.5 : points === "1" ? 1 : 0));
  return { white: white ?? 0, black: black ?? 0 };
}
