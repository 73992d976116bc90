/**
 * The lobby as the server shows it: open seeks, players waiting per pool, games in progress.
 *
 * Pure. What this page waits for is in `state/pairing`.
 */
import type { Color } from "../chess/square";
import type { App } from "./app";
import { ownGames } from "./ownGames";
import type { Challenge, GameId, LiveGame, LiveGames, Lobby, LobbyNews, PoolId, TimeControl } from "#protocol";

export interface LobbyBoard {
  /** Oldest first. */
  readonly seeks: readonly Challenge[];
  readonly pools: Readonly<Partial<Record<PoolId, number>>>;
  /** How many people are here, oneself among them; bots are not counted. */
  readonly here: number;
  readonly live: LiveGames;
  /** When the clocks of `live` stood so, in the page's clock. */
  readonly liveAt: number;
  /** Those of them in which this page has seen a move. */
  readonly moved: readonly GameId[];
}

/** All pools, fastest first, in minutes and seconds a move. */
export const POOLS: readonly PoolId[] = [
  "1+0",
  "2+1",
  "3+0",
  "3+2",
  "5+0",
  "5+3",
  "10+0",
  "10+5",
  "15+10",
  "30+0",
  "30+20",
];

/** What "Play" means before any pool was joined. */
export const FIRST_POOL: PoolId = "5+3";

/** At most so many seeks are kept; the oldest are dropped. */
const SEEKS_MAX = 200;

/** `before`: what was known, as the whole lobby comes again after a new connection. */
export function lobbyOf(
  { seeks, pools, here, live }: Lobby,
  writtenAt: number,
  before: LobbyBoard | null = null,
): LobbyBoard {
  const moved = before ? movedIn(before, live) : [];
  return { seeks, pools: countsOf(pools), here, live, liveAt: writtenAt, moved };
}

function countsOf(pools: Lobby["pools"]): LobbyBoard["pools"] {
  return Object.fromEntries(pools.map(({ pool, waiting }) => [pool, waiting]));
}

/** The lobby after an update. A seek that opens and ends in the same update is gone. */
export function withNews(board: LobbyBoard, news: LobbyNews, writtenAt: number): LobbyBoard {
  const added = news.seeks ?? [];
  const out = new Set(news.gone ?? []);
  const replaced = new Set(added.map((seek) => seek.challenge));
  const kept = board.seeks.filter((seek) => !replaced.has(seek.challenge));
  return {
    seeks: [...kept, ...added].filter((seek) => !out.has(seek.challenge)).slice(-SEEKS_MAX),
    pools: news.pools ? { ...board.pools, ...countsOf(news.pools) } : board.pools,
    here: news.here ?? board.here,
    live: news.live ?? board.live,
    liveAt: news.live ? writtenAt : board.liveAt,
    moved: news.live ? movedIn(board, news.live) : board.moved,
  };
}

function movedIn({ live, moved }: LobbyBoard, { games }: LiveGames): GameId[] {
  const hasMoved = ({ game, ply_count }: LiveGame): boolean =>
    moved.includes(game) || live.games.some((before) => before.game === game && before.ply_count !== ply_count);
  return games.filter(hasMoved).map(({ game }) => game);
}

/** How many players are here besides oneself. Whoever only looks has no account: the server counts it nowhere. */
export function othersHere({ here }: LobbyBoard, isCounted: boolean): number {
  return Math.max(0, here - (isCounted ? 1 : 0));
}

/** The same as this page knows it; null before it knows the lobby. */
export function othersOf({ lobby, account, people }: Pick<App, "lobby" | "account" | "people">): number | null {
  return lobby && othersHere(lobby, account !== null && people.kind !== "bot");
}

/** What a side's clock shows; null in a game without clocks. `now` in the page's clock. */
export function liveClock(game: LiveGame, side: Color, liveAt: number, now: number): number | null {
  const left = side === "white" ? game.white_ms : game.black_ms;
  if (left === undefined) return null;
  return game.running === side ? Math.max(0, left - Math.max(0, now - liveAt)) : left;
}

export interface Watchable {
  /** The game to show large: one that has begun, and rather of two people. */
  readonly featured: LiveGame | null;
  readonly others: readonly LiveGame[];
  /** How many there are; the lobby does not show all of them. None where there is none to show. */
  readonly total: number;
}

/**
 * The games in progress that one may watch: one's own are to be played, and one against a program without a clock may have been
 * left long ago, unless there was a move in it meanwhile. `large`: the game that is shown large already. It stays
 * so while it lasts, and after that none of the others is missing among them.
 */
export function toWatch(app: Pick<App, "lobby" | "account" | "games">, large?: GameId): Watchable {
  const { lobby, account } = app;
  if (!lobby) return { featured: null, others: [], total: 0 };
  const { live, moved } = lobby;
  const ofOthers = live.games.filter(
    ({ players: { white, black } }) => ![white.account, black.account].includes(account ?? ""),
  );
  const games = ofOthers.filter((game) => isToWatch(game) && (mayEnd(game) || moved.includes(game.game)));
  const find = (list: readonly LiveGame[], id?: GameId): LiveGame | undefined => list.find(({ game }) => game === id);
  const goingOn = games.filter((game) => hasBegun(game) && mayEnd(game));
  const ofPeople = goingOn.filter(isOfPeople);
  const featured = find(games, large) ?? find(ofPeople, live.featured) ?? ofPeople[0] ?? goingOn[0] ?? null;
  const unseen = live.total - ownGames(app).length - ofOthers.length;
  return {
    featured,
    others: games.filter(({ game }) => game !== (large ?? featured?.game)),
    total: games.length && games.length + Math.max(0, unseen),
  };
}

/** Of a game without moves there is nothing to see yet. */
const hasBegun = ({ ply_count }: Pick<LiveGame, "ply_count">): boolean => ply_count > 1;

/** A game against a program is rather somebody's exercise. */
const isOfPeople = ({ players: { white, black } }: Pick<LiveGame, "players">): boolean => !white.bot && !black.bot;

/** One against a program without a clock may stay for ever. */
const mayEnd = (game: LiveGame): boolean => isOfPeople(game) || game.white_ms !== undefined;

/** Whether there is or will soon be something to see in it. */
export const isToWatch = (game: Pick<LiveGame, "ply_count" | "players">): boolean => hasBegun(game) || isOfPeople(game);

export type Speed = "bullet" | "blitz" | "rapid" | "classical" | "days" | "unlimited";

/** The speed of a game by its time for forty moves. */
export function speedOf(control: TimeControl): Speed {
  if (control.kind !== "clock") return control.kind;
  const [first] = control.periods;
  const bonus = (first?.increment_ms ?? 0) + (first?.delay_ms ?? 0) + (first?.bronstein_ms ?? 0);
  const seconds = ((first?.base_ms ?? 0) + 40 * bonus) / 1000;
  if (seconds < 180) return "bullet";
  if (seconds < 480) return "blitz";
  return seconds < 1500 ? "rapid" : "classical";
}

/** The pool with this time control, if there is one. */
export function poolWith(control: TimeControl): PoolId | null {
  if (control.kind !== "clock" || control.black_periods) return null;
  const [period, next] = control.periods;
  if (!period || next || period.moves || period.delay_ms || period.bronstein_ms) return null;
  const name = `${period.base_ms / 60_000}+${(period.increment_ms ?? 0) / 1000}`;
  return POOLS.find((pool) => pool === name) ?? null;
}

/** The time control of a pool. */
export function controlOfPool(pool: PoolId): TimeControl {
  const [minutes = 0, seconds = 0] = pool.split("+").map(Number);
  const base_ms = minutes * 60_000;
  return { kind: "clock", periods: [seconds ? { base_ms, increment_ms: seconds * 1000 } : { base_ms }] };
}
