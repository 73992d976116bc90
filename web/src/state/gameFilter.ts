/**
 * Which finished games are looked for, as the form has it, and as the query of `/api/games`.
 *
 * Pure. A field that is empty is no condition. The server decides what fits.
 */
import type { AccountId, WireReason, WireScore } from "#protocol";

export const CATEGORIES = ["bullet", "blitz", "rapid", "classical", "correspondence", "chess960"] as const;
export type Category = (typeof CATEGORIES)[number];

/** The results that a game can have been played to. */
export const RESULTS = ["1-0", "0-1", "1/2-1/2", "*"] as const satisfies readonly WireScore[];

export const REASONS = [
  "checkmate",
  "resignation",
  "flag_fall",
  "abandonment",
  "agreement",
  "stalemate",
  "dead_position",
  "threefold_repetition",
  "fifty_moves",
  "fivefold_repetition",
  "seventy_five_moves",
  "aborted",
  "first_move_limit",
  "both_away",
  "arbiter",
] as const satisfies readonly WireReason[];

export interface GameFilter {
  readonly opponent: string;
  readonly color: "" | "white" | "black";
  readonly result: "" | (typeof RESULTS)[number];
  readonly reason: "" | WireReason;
  readonly category: "" | Category;
  readonly rated: "" | "true" | "false";
  /** Days, `2026-11-21`: the first and the last one. */
  readonly since: string;
  readonly until: string;
  /** The moves as they were typed. */
  readonly opening: string;
}

export const NO_FILTER: GameFilter = {
  opponent: "",
  color: "",
  result: "",
  reason: "",
  category: "",
  rated: "",
  since: "",
  until: "",
  opening: "",
};

/** How many conditions there are. */
export function conditionsOf(filter: GameFilter): number {
  return Object.values(filter).filter((value) => value.trim() !== "").length;
}

/** The most plies by which games are found. */
export const OPENING_PLIES_MAX = 30;

/** The query for the games of a player that fit. `opening`: the moves in UCI. */
export function queryOf(player: AccountId, filter: GameFilter, opening: readonly string[]): URLSearchParams {
  const query = new URLSearchParams({ player });
  const { opponent, since, until } = filter;
  for (const name of ["color", "result", "reason", "category", "rated"] as const)
    if (filter[name] !== "") query.set(name, filter[name]);
  if (opponent.trim() !== "") query.set("opponent", opponent.trim());
  if (since !== "") query.set("since", since);
  if (until !== "") query.set("until", dayAfter(until));
  if (opening.length > 0) query.set("moves", opening.join(","));
  return query;
}

/** The server's `until` is the first instant that does not count, a person's the last day that does. */
function dayAfter(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString().slice(0, 10);
}
