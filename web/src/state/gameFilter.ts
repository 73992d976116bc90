/**
 * Which finished games are looked for: as the form has it, in the page's address, and as queries of `/api/games`.
 *
 * Pure. A field that is empty is no condition. The server decides what fits; it knows who played a side and what the
 * score was, so games that a player has won are those won as White and those won as Black. Among the games of everybody a
 * game is won if White has won it.
 */
import type { AccountId, PlayedGame, WireReason, WireScore } from "#protocol";
import { type Color, other } from "../chess/square";
import { type Fate, type Whose, seatOfWhose } from "./played";

export const CATEGORIES = ["bullet", "blitz", "rapid", "classical", "correspondence", "chess960"] as const;
export type Category = (typeof CATEGORIES)[number];

/** What became of a game, for the player whose games they are. */
export const FATES = ["won", "lost", "drawn", "noResult"] as const satisfies readonly Fate[];

const SCORES: Record<Fate, Record<Color, WireScore>> = {
  won: { white: "1-0", black: "0-1" },
  lost: { white: "0-1", black: "1-0" },
  drawn: { white: "1/2-1/2", black: "1/2-1/2" },
  noResult: { white: "*", black: "*" },
};

/** The score of a game that White has won, lost or drawn. */
export const scoreOf = (fate: Fate): WireScore => SCORES[fate].white;

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

/** Where a game was played: on this server, or elsewhere. */
export const ORIGINS = ["here", "imported"] as const;
type Origin = (typeof ORIGINS)[number];

export interface GameFilter {
  /** Among the games of everybody: whose they are, by the name or its beginning. On a player's page that is the player. */
  readonly player: string;
  readonly opponent: string;
  readonly color: "" | "white" | "black";
  readonly fate: "" | Fate;
  readonly reason: "" | WireReason;
  readonly category: "" | Category;
  readonly rated: "" | "true" | "false";
  readonly origin: "" | Origin;
  /** Days, `2026-11-21`: the first and the last one. */
  readonly since: string;
  readonly until: string;
  /** A name, a part of one, or moves, as they were typed. */
  readonly opening: string;
}

export const NO_FILTER: GameFilter = {
  player: "",
  opponent: "",
  color: "",
  fate: "",
  reason: "",
  category: "",
  rated: "",
  origin: "",
  since: "",
  until: "",
  opening: "",
};

/** What a condition is called in an address. */
const PARAMETERS: Record<keyof GameFilter, string> = {
  player: "player",
  opponent: "against",
  color: "color",
  fate: "result",
  reason: "reason",
  category: "category",
  rated: "rated",
  origin: "origin",
  since: "since",
  until: "until",
  opening: "opening",
};

const CHOICES: Partial<Record<keyof GameFilter, readonly string[]>> = {
  color: ["white", "black"],
  fate: FATES,
  reason: REASONS,
  category: CATEGORIES,
  rated: ["true", "false"],
  origin: ORIGINS,
};

const NAMES = Object.keys(NO_FILTER) as (keyof GameFilter)[];

/** The filter in an address; what is not offered is no condition. */
export function filterIn(query: URLSearchParams): GameFilter {
  const read = NAMES.map((name) => {
    const value = query.get(PARAMETERS[name])?.trim() ?? "";
    return [name, CHOICES[name]?.includes(value) === false ? "" : value] as const;
  });
  return { ...NO_FILTER, ...Object.fromEntries(read) };
}

/** The filter as it stands in an address; nothing where it has no condition. */
export function parametersOf(filter: GameFilter): string {
  const query = new URLSearchParams();
  for (const name of NAMES) if (filter[name].trim() !== "") query.set(PARAMETERS[name], filter[name].trim());
  return query.toString();
}

/** How many conditions there are. */
export function conditionsOf(filter: GameFilter): number {
  return Object.values(filter).filter((value) => value.trim() !== "").length;
}

/**
 * Whether a search among the games of everybody leaves out those without a result: most of them were aborted before they
 * began. They are found where a result, a reason or a player is asked for.
 */
export function areDecided({ player, fate, reason }: GameFilter): boolean {
  return player.trim() === "" && fate === "" && reason === "";
}

/** Whether both look for the same games. */
export function isSameFilter(a: GameFilter, b: GameFilter): boolean {
  return NAMES.every((name) => a[name].trim() === b[name].trim());
}

/** Whether a day was typed to its end: a field for dates gives 2 as the year of somebody who is typing 2026. */
export function isWholeDay(day: string): boolean {
  return day === "" || day >= "1000";
}

/** The most plies by which games are found. */
export const OPENING_PLIES_MAX = 30;

/** The code of an opening, such as B20. */
export const isEcoCode = (typed: string): boolean => /^\s*[A-E]\d\d\s*$/iu.test(typed);

/** Whether an opening is given by its moves: their first word is a number or a move, with any letter of a piece. A code is none. */
export function areMoves(typed: string): boolean {
  return !isEcoCode(typed) && /^\s*(?:\d|\p{Lu}?[a-h]?[1-8]?x?[a-h][1-8]|[O0]-[O0])/u.test(typed);
}

/** What the server is asked of an opening: its whole name, or moves in UCI, with commas. */
export interface Opening {
  readonly opening?: string;
  readonly moves?: string;
}

/** The games of a player that fit, had this side in them. */
export interface SideQuery {
  readonly color: Color;
  readonly query: string;
}

const BOTH: readonly Color[] = ["white", "black"];

/** A query for each side that the player may have had, which together find each game once; of nobody's games one. */
export function bySide(player: string, filter: GameFilter, opening: Opening = {}): readonly SideQuery[] {
  const sides: readonly Color[] = player === "" ? ["white"] : filter.color === "" ? BOTH : [filter.color];
  return sides.map((color) => ({ color, query: queryOf(player, filter, opening, color) }));
}

/** As few queries as find each game once: two only where a side decides who has won. */
export function allSides(player: string, filter: GameFilter, opening: Opening = {}): readonly string[] {
  const { color, fate } = filter;
  if (player !== "" && color === "" && (fate === "won" || fate === "lost"))
    return bySide(player, filter, opening).map(({ query }) => query);
  return [queryOf(player, filter, opening, color)];
}

/** `player`: an account or a name; empty for everybody, of whom none had a side, and none was an opponent. */
function queryOf(player: string, filter: GameFilter, opening: Opening, side: "" | Color): string {
  const color = player === "" ? "" : side;
  const query = new URLSearchParams(player === "" ? {} : { player });
  const { opponent, fate, origin, since, until } = filter;
  if (color !== "") query.set("color", color);
  if (fate !== "") query.set("result", SCORES[fate][color || "white"]);
  for (const name of ["reason", "category", "rated"] as const) if (filter[name] !== "") query.set(name, filter[name]);
  if (origin !== "") query.set("imported", `${origin === "imported"}`);
  if (player !== "" && opponent.trim() !== "") query.set("opponent", opponent.trim());
  if (since !== "") query.set("since", since);
  if (until !== "") query.set("until", dayAfter(until));
  for (const [name, value] of Object.entries(opening)) query.set(name, value);
  return query.toString();
}

/**
 * Whether a game of the player was against somebody with this in the name, in capitals or not. A game has the names of its
 * day: `others` are accounts whose names of today fit.
 */
export function isAgainst(game: PlayedGame, player: Whose, part: string, others: readonly AccountId[] = []): boolean {
  const { account, name } = game.players[other(seatOfWhose(game, player) ?? "black")];
  return others.includes(account) || name.toLowerCase().includes(part.trim().toLowerCase());
}

/** The server's `until` is the first instant that does not count, a person's the last day that does. */
function dayAfter(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString().slice(0, 10);
}
