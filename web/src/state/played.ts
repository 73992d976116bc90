/** Finished games in a list, from one player's side. Pure. */
import type { AccountId, PlayedGame, PlayerView, WireScore } from "#protocol";
import { type Color, other } from "../chess/square";

export type Fate = "won" | "lost" | "drawn" | "noResult";

export interface PlayedRow {
  readonly color: Color;
  readonly opponent: PlayerView;
  readonly fate: Fate;
  /** Moves of both sides, as they are numbered. */
  readonly moves: number;
  /** By how many points the player's rating has changed; null when it was not rated, or did not count. */
  readonly gained: number | null;
}

export function rowOf(game: PlayedGame, account: AccountId): PlayedRow {
  const color = seatIn(game, account) ?? "black";
  const rating = game.ratings?.[color];
  return {
    color,
    opponent: game.players[other(color)],
    fate: fateOf(game.score, color),
    moves: Math.ceil(game.ply_count / 2),
    gained: rating ? rating.after - rating.before : null,
  };
}

/** The side of an account in a game; null if it was not a player. */
function seatIn({ players }: PlayedGame, account: AccountId): Color | null {
  if (players.white.account === account) return "white";
  return players.black.account === account ? "black" : null;
}

/** By points: after a decision of the arbiter they may not add up to one. */
export function fateOf(score: WireScore, color: Color): Fate {
  if (score === "*") return "noResult";
  const [white, black] = score.split("-");
  const points = color === "white" ? white : black;
  return points === "1" ? "won" : points === "0" ? "lost" : "drawn";
}
