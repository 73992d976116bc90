/**
 * Who one is, and names of players.
 *
 * Pure. A game keeps the names it started with; these are the current ones.
 */
import type { AccountId, Code, Player } from "#protocol";

/** What the own account is: one that only this browser's cookie names, one with a password, or a bot's. */
export type AccountKind = "guest" | "registered" | "bot";

export interface People {
  /** The own name; null without an account. */
  readonly name: string | null;
  /** Null without an account, and until the server has said it. */
  readonly kind: AccountKind | null;
  /** Why the last name that was requested was rejected. */
  readonly rejected: { readonly code: Code; readonly message: string } | null;
  /** The name that the last challenge to an unknown player gave. */
  readonly unknown: string | null;
  readonly names: Readonly<Record<AccountId, string>>;
}

export const NOBODY: People = { name: null, kind: null, rejected: null, unknown: null, names: {} };

/** Whether it is the account of the players of a game that was imported, who have none. */
export function isNobody(account: AccountId): boolean {
  return /^[0-]+$/u.test(account);
}

/** Whether games against this player can be rated: somebody has registered the account, and it is no program's. */
export function isRatable({ made, bot }: Pick<Player, "made" | "bot">): boolean {
  return made !== undefined && !bot;
}

const NAMES_MAX = 500;

export function withOwnName(people: People, name: string | null): People {
  return { ...people, name, rejected: null };
}

export function withPlayerName(people: People, account: AccountId, name: string): People {
  const names = Object.entries(people.names).slice(-NAMES_MAX);
  return { ...people, names: { ...Object.fromEntries(names), [account]: name } };
}

/** The error of the last attempt at a name is gone. */
export function withoutRejection(people: People): People {
  return people.rejected ? { ...people, rejected: null } : people;
}

/** Whether it is known that nobody has this name. */
export function isUnknown({ unknown }: People, name: string): boolean {
  return unknown !== null && unknown.toLowerCase() === name.trim().toLowerCase();
}

/** Whether a name is well-formed; the server knows whether it is free. */
export function isName(text: string): boolean {
  return /^[A-Za-z][0-9A-Za-z_-]{1,19}$/u.test(text);
}
