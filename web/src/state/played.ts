/** Finished games in a list, from one player's side. Pure. */
import type { AccountId, ByColor, PlayedGame, PlayerView, RatingStep, WireScore } from "#protocol";
import { type Color, other } from "../chess/square";

export type Fate = "won" | "lost" | "drawn" | "noResult";

export interface PlayedRow {
  readonly color: Color;
  /** With the rating before the game. */
  readonly opponent: PlayerView;
  readonly fate: Fate;
  /** Moves of both sides, as they are numbered. */
  readonly moves: number;
  /** What it did to the player's rating; null when it was not rated, or did not count. */
  readonly step: RatingStep | null;
}

export function rowOf(game: PlayedGame, account: AccountId): PlayedRow {
  return rowFrom(game, seatIn(game, account) ?? "black");
}

export function rowFrom(game: PlayedGame, color: Color): PlayedRow {
  return {
    color,
    opponent: playerBefore(game, other(color)),
    fate: fateOf(game.score, color),
    moves: Math.ceil(game.ply_count / 2),
    step: game.ratings?.[color] ?? null,
  };
}

interface Rated {
  readonly players: ByColor<PlayerView>;
  readonly ratings?: ByColor<RatingStep> | null | undefined;
}

/**
 * A player with the rating before a game: it is the one that stands beside a name in every place, and after a rated game what
 * the game did stands beside it. A long game may count from another rating than the one with which it began.
 */
export function playerBefore({ players, ratings }: Rated, color: Color): PlayerView {
  const step = ratings?.[color];
  return step ? { ...players[color], rating: step.before } : players[color];
}

/** Whose games they are: an account, or somebody of this name without one. */
export interface Whose {
  readonly account: AccountId | null;
  readonly name: string;
}

/** The side that somebody had in a game; null if neither. The server finds names so, too. */
export function seatOfWhose(game: PlayedGame, { account, name }: Whose): Color | null {
  if (account !== null) return seatIn(game, account);
  const { white, black } = game.players;
  if (plain(white.name) === plain(name)) return "white";
  return plain(black.name) === plain(name) ? "black" : null;
}

/** A name in small letters without white space. */
const plain = (name: string): string => name.replaceAll(/\s/gu, "").toLowerCase();

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
