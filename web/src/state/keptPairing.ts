/**
 * What a page waited for when it was left: the same tab goes on with it after a reload, as after a lost connection.
 *
 * It is taken once, so that a copy of the tab does not wait too. What is stored is not trusted.
 */
import type { CreateChallenge } from "#protocol";
import { POOLS } from "./lobby";
import { NO_PAIRING, type Pairing } from "./pairing";
import { keepStored, readStored } from "./stored";

const KEY = "zeitnot.pairing";

export function savePairing(storage: Pick<Storage, "setItem">, pairing: Pairing, now: number): void {
  const { wanted, since, ownChallenges, gamesBefore, lostAt } = pairing;
  keepStored(storage, KEY, { wanted, since, ownChallenges, gamesBefore, lostAt: lostAt ?? now });
}

/** With the seeks alone: other challenges are still open. */
export function takePairing(storage: Pick<Storage, "getItem" | "setItem">): Pairing {
  const stored = (readStored(storage, KEY) ?? {}) as Partial<Record<keyof Pairing, unknown>>;
  keepStored(storage, KEY, null);
  const { since, lostAt, gamesBefore } = stored;
  const wanted = POOLS.find((pool) => pool === stored.wanted) ?? null;
  const ownChallenges = Object.fromEntries(Object.entries(stored.ownChallenges ?? {}).filter(isSeek));
  if (typeof lostAt !== "number" || (wanted === null && Object.keys(ownChallenges).length === 0)) return NO_PAIRING;
  return {
    ...NO_PAIRING,
    wanted,
    since: typeof since === "number" ? since : lostAt,
    ownChallenges,
    gamesBefore: Array.isArray(gamesBefore) ? gamesBefore : [],
    lostAt,
  };
}

/** The server reads the rest. */
function isSeek(entry: [string, unknown]): entry is [string, CreateChallenge] {
  const [, terms] = entry;
  return typeof terms === "object" && terms !== null && "seek" in terms && terms.seek === true;
}
