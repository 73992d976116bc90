/**
 * Challenges after their end: why they ended, what their owner has still to be told, and the same challenge once more.
 *
 * Pure. Open challenges are in `App.challenges`; what the owner has not been told yet is kept for the next visit.
 */
import type { AccountId, Challenge, ChallengeId, CreateChallenge, DeclineReason } from "#protocol";
import { other } from "../chess/square";
import { keepStored, readStored } from "./stored";

export const END_CODES = ["challenge_expired", "challenge_cancelled", "challenge_declined", "challenge_taken"] as const;
export type EndCode = (typeof END_CODES)[number];

export interface EndedChallenge {
  /** Null: not known, or there never was such a challenge. */
  readonly code: EndCode | null;
  /** Null: they were never shown on this page. */
  readonly terms: Challenge | null;
  readonly reason?: DeclineReason;
}

/** A challenge of one's own whose end one has not been told. */
export interface KeptChallenge {
  readonly challenge: Challenge;
  /** In wall-clock ms; null: unknown. */
  readonly endsAt: number | null;
}
export type KeptChallenges = Readonly<Record<ChallengeId, KeptChallenge>>;
export type EndedChallenges = Readonly<Record<ChallengeId, EndedChallenge>>;

const KEPT_MAX = 8;

export function endCodeOf(code: string): EndCode | null {
  return END_CODES.find((one) => one === code) ?? null;
}

/** What is learnt later adds to what was known. */
export function withEnd(ended: EndedChallenges, id: ChallengeId, end: Partial<EndedChallenge>): EndedChallenges {
  const { code = null, terms = null, ...rest } = ended[id] ?? {};
  return { ...ended, [id]: { ...rest, ...end, code: end.code ?? code, terms: end.terms ?? terms } };
}

/** A seek ends with its owner's connection, and a rematch is told of by its game's page: neither is kept. */
export function withKept(
  kept: KeptChallenges,
  challenge: Challenge,
  account: AccountId | null,
  endsAt: number | null,
): KeptChallenges {
  const { challenge: id, by, seek, rematch_of } = challenge;
  if (by.account !== account || seek || rematch_of !== undefined) return kept;
  return Object.fromEntries([...Object.entries({ ...kept, [id]: { challenge, endsAt } })].slice(-KEPT_MAX));
}

export function withoutKept(kept: KeptChallenges, id: ChallengeId): KeptChallenges {
  if (!(id in kept)) return kept;
  const { [id]: _, ...others } = kept;
  return others;
}

/**
 * A server that was restarted no longer knows why a challenge ended. One whose time is over has run out; of any other
 * nothing is known.
 */
export function guessedEnd(endsAt: number | undefined, now: number): EndCode | null {
  return endsAt !== undefined && endsAt <= now ? "challenge_expired" : null;
}

/**
 * The same challenge once more. Whoever was invited invites now, with the colour they would have had; an addressed
 * challenge goes back to the player who made it, a link is a link again.
 */
export function againOf(terms: Challenge, account: AccountId | null): CreateChallenge {
  const { color, variant, fen, time_control, options, rated, by, to } = terms;
  const isOwn = by.account === account;
  const again: CreateChallenge = { time_control, variant, options };
  if (color !== null) again.color = isOwn ? color : other(color);
  if (fen !== undefined) again.fen = fen;
  if (rated) again.rated = rated;
  if (to !== undefined) again.to = isOwn ? to : by.account;
  return again;
}

const KEY = "zeitnot.challenges";

/** What is stored is not trusted: an entry without the fields that are read is left out. */
export function loadKept(storage: Pick<Storage, "getItem">): KeptChallenges {
  const stored = readStored(storage, KEY);
  if (typeof stored !== "object" || stored === null) return {};
  return Object.fromEntries(
    Object.entries(stored as KeptChallenges)
      .filter(isWhole)
      .slice(-KEPT_MAX),
  );
}

function isWhole([id, kept]: [ChallengeId, KeptChallenge | null]): boolean {
  const challenge: Partial<Challenge> = kept?.challenge ?? {};
  return (
    challenge.challenge === id &&
    typeof challenge.by?.account === "string" &&
    typeof challenge.time_control?.kind === "string" &&
    typeof challenge.options?.profile === "string"
  );
}

/** Without storage it is told only while the page is open. */
export function saveKept(storage: Pick<Storage, "setItem">, kept: KeptChallenges): void {
  keepStored(storage, KEY, kept);
}
