/**
 * What this page waits for: a place in a pool, its own seeks and challenges; and what is to be done about them when the
 * connection was lost.
 *
 * Pure. Pool places and seeks go with an account's last connection, and any game that begins takes them away. So after a
 * return they are asked for again, unless a game has begun meanwhile or nobody has looked for too long.
 */
import type { ChallengeId, CreateChallenge, GameId, PoolId, Waiting } from "#protocol";
import type { Command } from "./outbox";

export interface Seeking {
  /** The pool that was asked for on this page, and has not been left. */
  readonly wish: PoolId | null;
  /** Since when, in ms of the day's clock. */
  readonly since: number | null;
  /** Where the server says that the account waits; null: nowhere, or it is not known. */
  readonly pool: PoolId | null;
  /** The open challenges and seeks that were made on this page, as they were asked for. */
  readonly made: Readonly<Record<ChallengeId, CreateChallenge>>;
  /** Games that may come and are waited for: of challenges being accepted, and of one's own that are no longer open. */
  readonly coming: readonly GameId[];
  /** One's own games when the waiting for a pool began: another one is what was waited for. */
  readonly before: readonly GameId[];
  /** Since when there is no connection, in ms of the day's clock. */
  readonly lostAt: number | null;
}

export const NOTHING_SOUGHT: Seeking = { wish: null, since: null, pool: null, made: {}, coming: [], before: [], lostAt: null };

/** Who was away for longer is not made to play by coming back. */
export const AWAY_MOST_MS = 90_000;

export function wanting(seeking: Seeking, pool: PoolId, games: readonly GameId[], now: number): Seeking {
  return { ...seeking, wish: pool, since: now, before: games };
}

export function unwanting(seeking: Seeking): Seeking {
  return { ...seeking, wish: null, since: null };
}

/** The server's word on the pool. With a `join_pool` on its way, a word about another pool is an old one. */
export function told(seeking: Seeking, waiting: Waiting, joining: boolean, now: number): Seeking {
  const { pool } = waiting;
  if (pool === null) return joining && waiting.game === undefined ? { ...seeking, pool } : { ...unwanting(seeking), pool };
  if (joining || pool === seeking.wish) return { ...seeking, pool };
  // Another page of the same account waits in another pool now.
  return { ...seeking, pool, wish: null, since: seeking.pool === pool ? seeking.since : now };
}

export function making(seeking: Seeking, id: ChallengeId, terms: CreateChallenge): Seeking {
  return { ...seeking, made: { ...seeking.made, [id]: terms } };
}

/** A challenge is no more. */
export function unmade(seeking: Seeking, id: ChallengeId): Seeking {
  if (!(id in seeking.made)) return seeking;
  const { [id]: _, ...made } = seeking.made;
  return { ...seeking, made };
}

const COMING_MAX = 16;

/** These challenges may become games. */
export function awaiting(seeking: Seeking, ids: readonly GameId[]): Seeking {
  return { ...seeking, coming: [...seeking.coming, ...ids].slice(-COMING_MAX) };
}

/** This one has become a game, or will not. */
export function unawaiting(seeking: Seeking, id: GameId): Seeking {
  return { ...unmade(seeking, id), coming: seeking.coming.filter((one) => one !== id) };
}

/** Whether a game that begins is one that this page waits for, beside those of the pools. */
export function leads(seeking: Seeking, id: GameId): boolean {
  return id in seeking.made || seeking.coming.includes(id);
}

/** The connection is gone: so is what the server knew of us. */
export function lost(seeking: Seeking, now: number): Seeking {
  return seeking.lostAt !== null ? seeking : { ...seeking, pool: null, lostAt: now };
}

export interface Return {
  readonly seeking: Seeking;
  readonly send: readonly Command[];
  /** The game that began meanwhile. */
  readonly found: GameId | null;
  /** Whether something is not asked for again since it was too long ago. */
  readonly dropped: boolean;
}

/**
 * What follows from a return, once challenges and games have shown themselves: `games` are one's own in progress, `open`
 * one's own open challenges.
 */
export function onReturn(seeking: Seeking, games: readonly GameId[], open: readonly ChallengeId[], joining: boolean, now: number): Return {
  const away = seeking.lostAt === null ? 0 : now - seeking.lostAt;
  const ended = Object.keys(seeking.made).filter((id) => !open.includes(id));
  // A game that is slow to show itself still leads there.
  const back: Seeking = { ...awaiting(seeking, ended), lostAt: null };
  const kept = Object.fromEntries(Object.entries(seeking.made).filter(([id]) => open.includes(id)));
  const waited = seeking.wish !== null || ended.some((id) => seeking.made[id]?.seek);
  const found = games.find((id) => ended.includes(id) || (seeking.wish !== null && !seeking.before.includes(id))) ?? null;
  if (found !== null) return { seeking: { ...unwanting(back), made: kept }, send: [], found, dropped: false };
  if (away > AWAY_MOST_MS) return { seeking: { ...unwanting(back), made: kept }, send: [], found, dropped: waited };
  const send: Command[] = ended.flatMap((id) => {
    const terms = seeking.made[id];
    return terms?.seek ? [{ t: "create_challenge" as const, d: terms }] : [];
  });
  if (seeking.wish !== null && seeking.pool !== seeking.wish && !joining) send.push({ t: "join_pool", d: { pool: seeking.wish } });
  return { seeking: { ...back, made: kept }, send, found, dropped: false };
}
