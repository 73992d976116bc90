/**
 * Who is who: one's own name, names of others that were asked for, and the fate of challenges that were declined.
 *
 * Pure. A game keeps the names it began with; these are the names now.
 */
import type { AccountId, Challenge, ChallengeGone, Code, DeclineReason } from "#protocol";

/** A challenge of one's own, and why it was declined. */
export interface Declined {
  readonly challenge: Challenge;
  readonly reason: DeclineReason;
}

export interface People {
  /** One's own name; null for nobody. */
  readonly name: string | null;
  /** Why the name that was asked for last cannot be had. */
  readonly refused: { readonly code: Code; readonly message: string } | null;
  readonly names: Readonly<Record<AccountId, string>>;
  /** The last ones, newest first. */
  readonly declined: readonly Declined[];
}

export const NOBODY: People = { name: null, refused: null, names: {}, declined: [] };

const DECLINED_MAX = 8;
const NAMES_MAX = 500;

export function named(people: People, name: string | null): People {
  return { ...people, name, refused: null };
}

export function learned(people: People, account: AccountId, name: string): People {
  const names = Object.entries(people.names).slice(-NAMES_MAX);
  return { ...people, names: { ...Object.fromEntries(names), [account]: name } };
}

/** Remembers why a challenge of one's own was declined. */
export function answered(people: People, challenge: Challenge | undefined, gone: ChallengeGone, account: AccountId | null): People {
  if (!challenge || gone.declined === undefined || challenge.by.account !== account) return people;
  return { ...people, declined: [{ challenge, reason: gone.declined }, ...people.declined].slice(0, DECLINED_MAX) };
}

export function forgotten(people: People, challenge: string): People {
  return { ...people, declined: people.declined.filter((one) => one.challenge.challenge !== challenge) };
}

/** What names consist of; whether a name is free is for the server to say. */
export function isName(text: string): boolean {
  return /^[A-Za-z][0-9A-Za-z_-]{1,19}$/u.test(text);
}
