/**
 * What this page waits for: a place in a pool, and its own seeks and challenges; and what to do about them after a
 * lost connection.
 *
 * Pure. Pool places and seeks end with an account's last connection and with any game that starts. After a reconnect or a
 * reload they are requested again, unless a game has started meanwhile or the page was away for too long.
 */
import type { ChallengeId, CreateChallenge, GameId, PoolId, Waiting } from "#protocol";
import type { Command } from "zeitnot-client";
import type { App } from "./app";
import { type LobbyBoard, POOLS, type Speed, controlOfPool, speedOf } from "./lobby";

export interface Pairing {
  /** The pool that was joined on this page and has not been left. */
  readonly wanted: PoolId | null;
  /** When it was joined, in wall-clock ms. */
  readonly since: number | null;
  /** The pool that the account is in according to the server; null: none or unknown. */
  readonly pool: PoolId | null;
  /** Whether this page has left its pool, whatever the server still says of it. */
  readonly left: boolean;
  /** The open challenges and seeks created on this page, as they were requested. */
  readonly ownChallenges: Readonly<Record<ChallengeId, CreateChallenge>>;
  /**
   * The own challenges whose places others take, by the request for the new one, and by its id once it is there. Whatever takes
   * the place of one that took a place itself has that of the first one.
   */
  readonly replaces: Readonly<Record<string, ChallengeId>>;
  /** When the last own seek was listed, in wall-clock ms. */
  readonly listedAt: number | null;
  /** Challenges that may become games: those being accepted, rematches offered on this page, and own ones that are no longer open. */
  readonly expected: readonly GameId[];
  /** Own games when the pool was joined: any other one is the result of the pairing. */
  readonly gamesBefore: readonly GameId[];
  /** When the connection was lost, in wall-clock ms. */
  readonly lostAt: number | null;
}

export const NO_PAIRING: Pairing = {
  wanted: null,
  since: null,
  pool: null,
  left: false,
  ownChallenges: {},
  replaces: {},
  listedAt: null,
  expected: [],
  gamesBefore: [],
  lostAt: null,
};

/** After a longer absence a reconnect does not put the player back into a pool. */
export const MAX_ABSENCE_MS = 90_000;

/** So long one waits before the page says that nobody else does, and offers the computer. */
export const ALONE_AFTER_MS = 10_000;

/** Whether nobody came into one's pool for a while. */
export function waitsAlone(pairing: Pairing, pools: LobbyBoard["pools"], now: number): boolean {
  const { pool, since } = pairing;
  return pool !== null && since !== null && now - since >= ALONE_AFTER_MS && othersIn(pairing, pool, pools) === 0;
}

/** A pairing round comes every half second: whoever waits for longer with somebody else is not paired with them yet. */
export const PAIRED_WITHIN_MS = 700;

/** So long the server keeps two players apart who have just played each other, where nobody else waits. */
export const APART_MS = 2_000;

/**
 * In how many seconds two who wait in the same pool may be paired though they have just played each other; null when that is
 * not what they wait for. `both`: since when both wait.
 */
export function meetsAgainIn(both: number | null, now: number): number | null {
  if (both === null || now - both < PAIRED_WITHIN_MS || now - both > APART_MS + PAIRED_WITHIN_MS) return null;
  return Math.max(1, Math.ceil((both + APART_MS - now) / 1000));
}

/** How many others wait in a pool: one's own place counts for nobody but the others. */
export function othersIn({ pool: own }: Pairing, pool: PoolId, pools: LobbyBoard["pools"]): number {
  return Math.max(0, (pools[pool] ?? 0) - (own === pool ? 1 : 0));
}

/** Another pool in which somebody waits, the fullest one, for whoever is the only one in their own. */
export function waitsElsewhere(pairing: Pairing, pools: LobbyBoard["pools"]): PoolId | null {
  return pairing.pool && fullestBeside(pairing, pairing.pool, pools);
}

/**
 * The pool that the main button offers: the usual one, or in place of one in which nobody waits another of the same speed that
 * is not empty.
 */
export function poolToPlay(pairing: Pairing, usual: PoolId, pools: LobbyBoard["pools"]): PoolId {
  const speed = (pool: PoolId): Speed => speedOf(controlOfPool(pool));
  const alike = POOLS.filter((pool) => speed(pool) === speed(usual));
  return (placeOf(pairing) === null ? fullestBeside(pairing, usual, pools, alike) : null) ?? usual;
}

/** The pool of any speed in which somebody waits, for whoever is offered one in which nobody does. */
export function waitedForBeside(pairing: Pairing, offered: PoolId, pools: LobbyBoard["pools"]): PoolId | null {
  return placeOf(pairing) === null ? fullestBeside(pairing, offered, pools) : null;
}

/** Of pools that are as full as each other the one whose clock is nearest. */
function fullestBeside(pairing: Pairing, pool: PoolId, pools: LobbyBoard["pools"], of = POOLS): PoolId | null {
  if (othersIn(pairing, pool, pools) > 0) return null;
  const others = of.filter((one) => othersIn(pairing, one, pools) > 0);
  const distance = (one: PoolId): number => Math.abs(POOLS.indexOf(one) - POOLS.indexOf(pool));
  return others.sort((a, b) => (pools[b] ?? 0) - (pools[a] ?? 0) || distance(a) - distance(b))[0] ?? null;
}

/** What a button offers that changes by itself. */
export interface Offer {
  /** The pool that it joins; null: it ends the wait. */
  readonly pool: PoolId | null;
  /** When it changed, in wall-clock ms. */
  readonly since: number;
}

/** Nobody reads a button and presses it in less: a press so soon after a change was meant for what the button said before. */
export const READ_MS = 400;

export function withOffer(offer: Offer, pool: PoolId | null, now: number): Offer {
  return pool === offer.pool ? offer : { pool, since: now };
}

/** The second press of a double tap on the button that begins the wait comes so soon on the one that ends it. */
export const BEGUN_MS = 700;

/** Whether a press can mean what the button says. */
export function isRead({ pool, since }: Offer, now: number): boolean {
  return now - since >= (pool === null ? BEGUN_MS : READ_MS);
}

/** Whether it is known that nobody waits for a game, in a pool or with a game in the lobby: neither others nor oneself. */
export function nobodyWaits({ lobby, pairing }: Pick<App, "lobby" | "pairing">): boolean {
  if (!lobby || placeOf(pairing) !== null) return false;
  return lobby.seeks.length === 0 && POOLS.every((pool) => othersIn(pairing, pool, lobby.pools) === 0);
}

export function withPool(pairing: Pairing, pool: PoolId, games: readonly GameId[], now: number): Pairing {
  return { ...pairing, wanted: pool, since: now, gamesBefore: games, left: false };
}

/** The player leaves: on the page at once, before the server has answered. */
export function withLeave(pairing: Pairing): Pairing {
  return { ...withoutPool(pairing), left: true };
}

/** The server has rejected it: whoever waited still does. */
export function withoutLeave(pairing: Pairing): Pairing {
  return pairing.left ? { ...pairing, left: false } : pairing;
}

/** The pool in which the player waits, or is about to. */
export function placeOf({ wanted, pool, left }: Pairing): PoolId | null {
  return wanted ?? (left ? null : pool);
}

export function withoutPool(pairing: Pairing): Pairing {
  return { ...pairing, wanted: null, since: null };
}

/** Which commands about pools the server has not answered. */
export interface Unanswered {
  readonly joining: boolean;
  readonly leaving: boolean;
}

/**
 * The server reports the pool. While a `join_pool` is unanswered, a report about another pool is outdated; while a
 * `leave_pool` is, one about any pool.
 */
export function withServerPool(before: Pairing, waiting: Waiting, unanswered: Unanswered, now: number): Pairing {
  const { pool } = waiting;
  const { joining, leaving } = unanswered;
  const pairing = leaving ? before : withoutLeave(before);
  if (pool === null)
    return joining && waiting.game === undefined ? { ...pairing, pool } : { ...withoutPool(pairing), pool };
  if (joining || pool === pairing.wanted) return { ...pairing, pool };
  // Another page of the same account has joined another pool.
  return { ...pairing, pool, wanted: null, since: pairing.pool === pool ? pairing.since : now };
}

export function withOwnChallenge(pairing: Pairing, id: ChallengeId, terms: CreateChallenge, now: number): Pairing {
  const listedAt = terms.seek ? now : pairing.listedAt;
  return { ...pairing, ownChallenges: { ...pairing.ownChallenges, [id]: terms }, listedAt };
}

/** `taker`, a request or a new challenge, takes the place of the own challenge `id`; of undefined: of none. */
export function withReplaced(pairing: Pairing, taker: string, id: ChallengeId | undefined): Pairing {
  if (id === undefined) return pairing;
  return { ...pairing, replaces: { ...pairing.replaces, [taker]: pairing.replaces[id] ?? id } };
}

/** The others that have, had or ask for the same place: only one of them is to become a game. */
export function rivalsOf({ replaces }: Pairing, id: ChallengeId): readonly string[] {
  const first = replaces[id] ?? id;
  return [first, ...Object.keys(replaces).filter((one) => replaces[one] === first)].filter((one) => one !== id);
}

/** A challenge has ended. */
export function withoutOwnChallenge(pairing: Pairing, id: ChallengeId): Pairing {
  if (!(id in pairing.ownChallenges)) return pairing;
  const { [id]: _, ...ownChallenges } = pairing.ownChallenges;
  return { ...pairing, ownChallenges };
}

const EXPECTED_MAX = 16;

/** These challenges may become games. */
export function withExpected(pairing: Pairing, ids: readonly GameId[]): Pairing {
  return { ...pairing, expected: [...pairing.expected, ...ids].slice(-EXPECTED_MAX) };
}

/** This challenge has become a game, or never will. */
export function withoutExpected(pairing: Pairing, id: GameId): Pairing {
  return { ...withoutOwnChallenge(pairing, id), expected: pairing.expected.filter((one) => one !== id) };
}

/** Whether this page waits for a game with this id. Games of pools are recognised elsewhere. */
export function isExpected(pairing: Pairing, id: GameId): boolean {
  const { ownChallenges, expected, replaces } = pairing;
  return id in ownChallenges || expected.includes(id) || Object.values(replaces).includes(id);
}

/** The connection is lost, and with it the place in the pool; again, perhaps, before the last loss was made good. */
export function onDisconnect(pairing: Pairing, now: number): Pairing {
  return { ...pairing, pool: null, lostAt: pairing.lostAt ?? now };
}

export interface Reconnected {
  readonly pairing: Pairing;
  readonly send: readonly Command[];
  /** The game that started meanwhile. */
  readonly found: GameId | null;
  /** Whether a place or seek was given up because the absence was too long. */
  readonly dropped: boolean;
}

/**
 * What to do after a reconnect, once the server has resent challenges and games: `games` are own games in progress,
 * `open` own open challenges.
 */
export function onReconnect(
  pairing: Pairing,
  games: readonly GameId[],
  open: readonly ChallengeId[],
  joining: boolean,
  now: number,
): Reconnected {
  const away = pairing.lostAt === null ? 0 : now - pairing.lostAt;
  const ended = Object.keys(pairing.ownChallenges).filter((id) => !open.includes(id));
  // A game that arrives late is still opened.
  const back: Pairing = { ...withExpected(pairing, ended), lostAt: null };
  const kept = Object.fromEntries(Object.entries(pairing.ownChallenges).filter(([id]) => open.includes(id)));
  const waited = pairing.wanted !== null || ended.some((id) => pairing.ownChallenges[id]?.seek);
  const found =
    games.find((id) => ended.includes(id) || (pairing.wanted !== null && !pairing.gamesBefore.includes(id))) ?? null;
  if (found !== null)
    return { pairing: { ...withoutPool(back), ownChallenges: kept }, send: [], found, dropped: false };
  if (away > MAX_ABSENCE_MS)
    return { pairing: { ...withoutPool(back), ownChallenges: kept }, send: [], found, dropped: waited };
  const send: Command[] = ended.flatMap((id) => {
    const terms = pairing.ownChallenges[id];
    return terms?.seek ? [{ t: "create_challenge" as const, d: terms }] : [];
  });
  if (pairing.wanted !== null && pairing.pool !== pairing.wanted && !joining)
    send.push({ t: "join_pool", d: { pool: pairing.wanted } });
  return { pairing: { ...back, ownChallenges: kept }, send, found, dropped: false };
}
