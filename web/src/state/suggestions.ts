/**
 * Which players are suggested for what was typed of a name. Pure.
 *
 * The server finds names by their beginning; of players whom one knows any part of the name will do.
 */
import type { FoundPlayer } from "#protocol";

/** A player with an account, or the name of one without. */
export type Somebody = FoundPlayer | string;

export const nameOf = (one: Somebody): string => (typeof one === "string" ? one : one.name);

/** Nobody else's: a player without an account may have the name of an account. */
export const keyOf = (one: Somebody): string => (typeof one === "string" ? `name ${one}` : one.account);

/** At most so many at once. */
export const SUGGESTED_MAX = 8;

const BEGINNING = /^[A-Za-z][A-Za-z0-9_-]{1,19}$/u;
const NAME_OR_ACCOUNT = /^[0-9A-Za-z][0-9A-Za-z_-]{1,35}$/u;

/** Whether a name may begin so, by as much as the server asks for. */
export function isBeginning(typed: string): boolean {
  return BEGINNING.test(typed);
}

/** Whether no name begins so: some character is in none. */
export function isNoName(typed: string): boolean {
  const name = typed.trim();
  return name.length > 1 && !isBeginning(name) && !isWhole(name);
}

/** Whether this may be the whole name of a player, or an account. */
export function isWhole(typed: string): boolean {
  return NAME_OR_ACCOUNT.test(typed);
}

/** Whether this is, or begins, a name as the server makes one for a guest who has chosen none: nobody is found by it. */
export function isGuestName(typed: string): boolean {
  const name = typed.trim().toLowerCase();
  return name.length > 1 && ("guest-".startsWith(name) || name.startsWith("guest-"));
}

/**
 * How names begin that may be meant by one that nobody has, the likeliest first: as it stands, or nearly so. None of an
 * account or a guest's name.
 */
export function beginningsOf(name: string): readonly string[] {
  if (!isBeginning(name) || isGuestName(name)) return [];
  return [name, ...[4, 3, 2].filter((length) => length < name.length).map((length) => name.slice(0, length))];
}

/** Each player once; the server's word on whether somebody is here is the newer one. */
export function suggested(
  typed: string,
  known: readonly FoundPlayer[],
  found: readonly FoundPlayer[],
): readonly FoundPlayer[] {
  const part = typed.trim().toLowerCase();
  const fits = known.filter(({ name }) => name.toLowerCase().includes(part));
  const fresh = fits.map((one) => found.find(({ account }) => account === one.account) ?? one);
  const others = found.filter(({ account }) => !fits.some((one) => one.account === account));
  return [...fresh, ...others].slice(0, SUGGESTED_MAX);
}

/** The one who is meant by a name as it stands: who has it, else the only one suggested. */
export function meant<T extends Somebody>(typed: string, all: readonly T[]): T | null {
  const name = typed.trim().toLowerCase();
  const same = all.find((one) => nameOf(one).toLowerCase() === name);
  return same ?? (all.length === 1 ? (all[0] ?? null) : null);
}
