/**
 * One's own last games, for the home page: what the archive says of them, and those that have ended while this page is open;
 * and the last ones of others.
 *
 * Pure.
 */
import type { AccountId, GameId, PlayedGame, PlayerView, RatingStep } from "#protocol";
import { type Game, seatOf } from "zeitnot-client";
import { type Color, other } from "../chess/square";
import type { Format } from "../text/terms";
import type { Ending } from "../text/words";
import { type Fate, fateOf, rowOf } from "./played";
import { keepStored, readStored } from "./stored";

/** So many are shown. */
export const RECENT_MAX = 4;
/** So many are asked for: games without a move are left out. */
export const RECENT_ASKED = 8;

export interface RecentGame {
  readonly id: GameId;
  readonly seat: Color;
  readonly opponent: PlayerView;
  readonly fate: Fate;
  readonly ending: Ending;
  /** What it did to one's own rating; null when it was not rated, or did not count. */
  readonly step: RatingStep | null;
  readonly fen: string;
  /** The last move in UCI. */
  readonly last: string | undefined;
  readonly format: Format;
  /** When it ended, or began where that is not known: in seconds since 1970. */
  readonly at: number;
}

/** The last games with a move in them, the latest first; `games` are those that this page knows. */
export function recentGames(
  account: AccountId,
  played: readonly PlayedGame[],
  games: readonly Game[],
): readonly RecentGame[] {
  const listed = played.map((game) => ({ moves: game.ply_count, recent: ofList(game, account) }));
  const known = games.flatMap((game) => {
    const isNew = game.phase === "ended" && !played.some((one) => one.game === game.id);
    const recent = isNew ? ofPage(game, account) : null;
    return recent ? [{ moves: game.plyCount, recent }] : [];
  });
  return [...known, ...listed]
    .filter(({ moves }) => moves > 0)
    .map(({ recent }) => recent)
    .sort((a, b) => b.at - a.at)
    .slice(0, RECENT_MAX);
}

function ofList(game: PlayedGame, account: AccountId): RecentGame {
  const { color: seat, opponent, fate, step } = rowOf(game, account);
  return {
    id: game.game,
    seat,
    opponent,
    fate,
    ending: game,
    step,
    fen: game.fen,
    last: game.last,
    format: game,
    at: game.ended,
  };
}

function ofPage(game: Game, account: AccountId): RecentGame | null {
  const { id, outcome, players, fen, isRated: rated, ratings, variant, control: time_control } = game;
  const seat = seatOf(game, account);
  if (seat === null || !outcome) return null;
  return {
    id,
    seat,
    opponent: players[other(seat)],
    fate: fateOf(outcome.score, seat),
    ending: outcome,
    step: ratings?.[seat] ?? null,
    fen,
    last: game.plies.at(-1)?.uci,
    format: { rated, variant, time_control },
    // When it ended is not known: it was not before it began.
    at: game.began,
  };
}

/** So many of the server's latest games are shown. */
const LATEST_MAX = 3;
/** Of so many: games without a move and one's own, which stand above, are left out. */
export const LATEST_ASKED = 12;

/** The last games of others with a move in them; `account` is one's own. */
export function latestGames(games: readonly PlayedGame[], account: AccountId | null): readonly PlayedGame[] {
  const isOwn = ({ players }: PlayedGame): boolean =>
    [players.white.account, players.black.account].includes(account ?? "");
  return games.filter((game) => game.ply_count > 0 && !isOwn(game)).slice(0, LATEST_MAX);
}

const KEY = "zeitnot.recent";

/** How many were shown last in this browser: their place is kept free until they are known, so that nothing moves. */
export function keptPlaces(storage: Pick<Storage, "getItem">): number {
  const count = Number(readStored(storage, KEY));
  return Number.isInteger(count) ? Math.min(RECENT_MAX, Math.max(0, count)) : 0;
}

export function keepPlaces(storage: Pick<Storage, "setItem">, count: number): void {
  keepStored(storage, KEY, count);
}
