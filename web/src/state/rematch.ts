/**
 * The open offer of a rematch of each finished game, and the game that it becomes.
 *
 * Pure. A rematch is a challenge with `rematch_of`; it has the id of the game that it leads to.
 */
import type { AccountId, Challenge, ChallengeGone, ChallengeId, DeclineReason, GameId, PoolId } from "#protocol";
import type { Game } from "zeitnot-client";
import { START_FEN } from "../chess/position";
import { poolWith } from "./lobby";
import { keepStored, readStored } from "./stored";

/** Of a series of games, in points; a draw is half of one. */
export interface Score {
  readonly games: number;
  readonly own: number;
  readonly theirs: number;
}

export interface Rematch {
  readonly challenge: ChallengeId;
  readonly by: "me" | "them";
  /** `unsure`: the connection was lost; the server resends offers that are still open. */
  readonly state: "open" | "unsure" | "declined" | "begun";
  readonly reason: DeclineReason | null;
  /** Of one that has begun: the score of the games before it; null while it is not known. */
  readonly score: Score | null;
}

/** By the finished game. */
export type Rematches = Readonly<Record<GameId, Rematch>>;

export function rematchOffered(rematches: Rematches, challenge: Challenge, account: AccountId | null): Rematches {
  if (challenge.rematch_of === undefined) return rematches;
  const by = challenge.by.account === account ? "me" : "them";
  const offer = { challenge: challenge.challenge, by, state: "open", reason: null, score: null } as const;
  return { ...rematches, [challenge.rematch_of]: offer };
}

/** An accepted offer is kept until its game arrives. */
export function rematchGone(rematches: Rematches, gone: ChallengeGone): Rematches {
  const found = Object.entries(rematches).find(([, rematch]) => rematch.challenge === gone.challenge);
  if (!found || gone.game !== undefined) return rematches;
  const [game, rematch] = found;
  if (gone.declined !== undefined)
    return { ...rematches, [game]: { ...rematch, state: "declined", reason: gone.declined } };
  const { [game]: _, ...rest } = rematches;
  return rest;
}

/** The game with this id exists: if it was offered as a rematch, it has begun. */
export function rematchBegun(rematches: Rematches, id: GameId): Rematches {
  const found = Object.entries(rematches).find(([, rematch]) => rematch.challenge === id && rematch.state !== "begun");
  return found ? { ...rematches, [found[0]]: { ...found[1], state: "begun" } } : rematches;
}

/** After a reconnect only resent offers are open. */
export function rematchesUnsure(rematches: Rematches): Rematches {
  return Object.fromEntries(
    Object.entries(rematches).map(([game, rematch]) => [
      game,
      rematch.state === "open" ? { ...rematch, state: "unsure" as const } : rematch,
    ]),
  );
}

/** The pool with the time control of a game, if there is one, whatever rules that had beside it; of Chess960 there is none. */
export function poolOf({ control, variant, startFen }: Pick<Game, "control" | "variant" | "startFen">): PoolId | null {
  return variant === "standard" && startFen === START_FEN ? poolWith(control) : null;
}

/** Whether `next` is the rematch of `game` and has not been opened yet. */
export function isRematch(rematches: Rematches, game: GameId, next: GameId): boolean {
  const rematch = rematches[game];
  return rematch?.challenge === next && (rematch.state === "open" || rematch.state === "unsure");
}

const KEY = "zeitnot.rematches";
/** Finished games of which it is kept in the browser which game followed, and with what score. */
export const KEPT_MAX = 50;

/** What is kept of a rematch: the game that followed, and the score with which it began. */
interface Kept {
  readonly next: GameId;
  readonly score: Score | null;
}

/** Those that had begun at an earlier visit. What is stored is not trusted. */
export function loadRematches(storage: Pick<Storage, "getItem">): Rematches {
  const stored = readStored(storage, KEY);
  if (typeof stored !== "object" || stored === null) return {};
  const begun = Object.entries(stored).flatMap(([game, value]) => {
    const kept = readKept(value);
    return kept ? [[game, kept] as const] : [];
  });
  return Object.fromEntries(
    begun
      .slice(-KEPT_MAX)
      .map(([game, { next, score }]) => [game, { challenge: next, by: "me", state: "begun", reason: null, score }]),
  );
}

function readKept(value: unknown): Kept | null {
  const { next, score } = (value ?? {}) as Partial<Record<keyof Kept, unknown>>;
  return typeof next === "string" ? { next, score: readScore(score) } : null;
}

function readScore(value: unknown): Score | null {
  const { games, own, theirs } = (value ?? {}) as Partial<Record<keyof Score, unknown>>;
  return typeof games === "number" && typeof own === "number" && typeof theirs === "number"
    ? { games, own, theirs }
    : null;
}

function keptOf(rematches: Rematches): Readonly<Record<GameId, Kept>> {
  const begun = Object.entries(rematches).filter(([, { state }]) => state === "begun");
  return Object.fromEntries(
    begun.slice(-KEPT_MAX).map(([game, { challenge: next, score }]) => [game, { next, score }]),
  );
}

/** Whether the same would be kept of both: offers come and go, and storage is written when a rematch has begun. */
export function isKeptSame(before: Rematches, after: Rematches): boolean {
  return before === after || JSON.stringify(keptOf(before)) === JSON.stringify(keptOf(after));
}

/** Without storage they are known only while the page is open. */
export function saveRematches(storage: Pick<Storage, "setItem">, rematches: Rematches): void {
  keepStored(storage, KEY, keptOf(rematches));
}
