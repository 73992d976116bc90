/** The finished games of a player that fit a filter, page by page, and how many fit. Asked for over HTTP. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { AccountId, FoundPlayer, GameCounts, PlayedGame } from "#protocol";
import { START_FEN } from "../../chess/position";
import { readPgn } from "../../chess/pgn";
import { askPosition } from "../../net/analysis";
import { type Answer, askJson } from "../../net/ask";
import { GameReader } from "../../net/gameReader";
import { findPlayers, whoIsMeant } from "../../net/find";
import {
  type GameFilter,
  OPENING_PLIES_MAX,
  type Opening,
  type SideQuery,
  allSides,
  areMoves,
  bySide,
  isAgainst,
  parametersOf,
} from "../../state/gameFilter";
import { type CountsOfSide, type GameTally, tallyOf } from "../../state/gameTally";
import { type Somebody, isBeginning } from "../../state/suggestions";

/** Why a search could not be made. */
export type SearchError =
  /** No opening has this name; these moves cannot be played. */
  | { readonly why: "name" | "opening" }
  | { readonly why: "moves" | "failed" }
  | { readonly why: "later"; readonly seconds: number }
  | { readonly why: "rejected"; readonly message: string };

export interface Found {
  readonly state: "loading" | "there" | "failed";
  readonly games: readonly PlayedGame[];
  readonly isAtEnd: boolean;
  /** Null where the server does not count: for a part of a name, and when it could not. */
  readonly tally: GameTally | null;
  /** For a part of a name: among how many games it was looked for. */
  readonly among: number | null;
  /** Whom the names of the player and the opponent may mean, by their names of today. */
  readonly today: readonly FoundPlayer[];
  /** Among the games of everybody: who was meant by the name of a player, or by its beginning; or who may be. */
  readonly whose: Somebody | null;
  readonly others: readonly Somebody[];
  readonly error: SearchError | null;
  /** The searches that find all these games on the server, one for a side where there are two. */
  readonly queries: readonly string[];
}

const NOTHING: Found = {
  state: "loading",
  games: [],
  isAtEnd: true,
  tally: null,
  among: null,
  today: [],
  whose: null,
  others: [],
  error: null,
  queries: [],
};

export interface Search extends Found {
  more(): Promise<number>;
  again(): void;
}

/** The games of an account, or those of everybody, among which the filter may look for a player. */
export function useGames(account: AccountId | null, filter: GameFilter): Search {
  const [found, set] = useState<Found>(NOTHING);
  const asked = useRef(0);
  const reader = useRef<GameReader | null>(null);

  const search = async (): Promise<void> => {
    reader.current = null;
    asked.current += 1;
    const number = asked.current;
    set((old) => ({ ...old, state: "loading", error: null }));
    const opening = await openingOf(filter.opening);
    const first = "why" in opening ? opening : await firstTurn(account, filter, opening);
    // A later search has its own answer.
    if (number !== asked.current) return;
    if ("why" in first) return set({ ...NOTHING, state: "failed", error: first });
    reader.current = first.reader;
    set(first.found);
  };
  const more = async (): Promise<number> => {
    const from = reader.current;
    if (!from) return 0;
    const number = asked.current;
    set((old) => ({ ...old, state: "loading" }));
    const games = await from.turn();
    if (number !== asked.current) return 0;
    if ("kind" in games) {
      set((old) => ({ ...old, state: "failed", error: errorOf(games) }));
      return 0;
    }
    set((old) => ({
      ...old,
      state: "there",
      error: null,
      games: [...old.games, ...games],
      isAtEnd: from.isAtEnd,
      among: old.among === null ? null : from.looked,
    }));
    return games.length;
  };
  useEffect(() => void search(), [account, parametersOf(filter)]);
  return {
    ...found,
    more,
    again: () => void (reader.current ? more() : search()),
  };
}

interface FirstTurn {
  readonly reader: GameReader;
  readonly found: Found;
}

async function firstTurn(
  account: AccountId | null,
  wanted: GameFilter,
  opening: Opening,
): Promise<FirstTurn | SearchError> {
  // Without anybody the name is looked for as it stands.
  const named = account === null ? wanted.player.trim() : "";
  const { one, others } = await whoIsMeant(named);
  const who = account ?? (one === null ? named : typeof one === "string" ? one : one.account);
  const reader = new GameReader(allSides(who, wanted, opening));
  const name = wanted.opponent.trim();
  const [games, tally, opponents] = await Promise.all([
    reader.turn(),
    countOf(bySide(who, wanted, opening)),
    playersOf(name),
  ]);
  const today = typeof one === "object" && one !== null ? [...opponents, one] : opponents;
  // Nothing else can be wrong with a search that the form has made.
  if ("kind" in games) return games.kind === "rejected" && opening.opening ? { why: "name" } : errorOf(games);
  // The server knows whole names of accounts: guests, and parts of names, are looked for here.
  if (account !== null && name !== "" && games.length === 0) return byPart(account, wanted, opening, opponents);
  const { isAtEnd, queries } = reader;
  return { reader, found: { ...NOTHING, state: "there", games, isAtEnd, tally, today, whose: one, others, queries } };
}

async function byPart(
  account: AccountId,
  wanted: GameFilter,
  opening: Opening,
  today: readonly FoundPlayer[],
): Promise<FirstTurn | SearchError> {
  const accounts = today.map((player) => player.account);
  const reader = new GameReader(allSides(account, { ...wanted, opponent: "" }, opening), (game) =>
    isAgainst(game, account, wanted.opponent, accounts),
  );
  const games = await reader.turn();
  if ("kind" in games) return errorOf(games);
  const { isAtEnd, looked } = reader;
  return { reader, found: { ...NOTHING, state: "there", games, isAtEnd, among: looked, today } };
}

/** The players whose name of today begins so; none when the server cannot say. */
async function playersOf(beginning: string): Promise<readonly FoundPlayer[]> {
  if (!isBeginning(beginning)) return [];
  const found = await findPlayers(beginning);
  return found.kind === "there" ? found.value.players : [];
}

/** How many fit; null when the server could not count them. */
export async function countOf(sides: readonly SideQuery[]): Promise<GameTally | null> {
  const counted = await countsOf(sides);
  return counted && tallyOf(counted);
}

/** Counts that are asked for: two parts of a page that ask for the same have one answer. */
const underWay = new Map<string, Promise<Answer<GameCounts>>>();

function askCounts(query: string): Promise<Answer<GameCounts>> {
  const asked =
    underWay.get(query) ?? askJson<GameCounts>(`/api/games/count?${query}`).finally(() => underWay.delete(query));
  underWay.set(query, asked);
  return asked;
}

/** The same for each side by itself. */
export async function countsOf(sides: readonly SideQuery[]): Promise<readonly CountsOfSide[] | null> {
  const counted = await Promise.all(
    sides.map(async ({ color, query }): Promise<CountsOfSide | null> => {
      const answer = await askCounts(query);
      return answer.kind === "there" ? { color, counts: answer.value } : null;
    }),
  );
  const known = counted.filter((side) => side !== null);
  return known.length === sides.length ? known : null;
}

function errorOf(answer: Exclude<Answer<unknown>, { readonly kind: "there" }>): SearchError {
  if (answer.kind === "later") return { why: "later", seconds: answer.seconds };
  return answer.kind === "rejected" ? { why: "rejected", message: answer.message } : { why: "failed" };
}

/** Words of a name, or a code, as they stand; of moves, typed in UCI or SAN, with numbers or without, the same in UCI. */
async function openingOf(typed: string): Promise<Opening | SearchError> {
  const opening = typed.trim();
  if (opening === "") return {};
  return areMoves(opening) ? ofMoves(opening) : { opening };
}

async function ofMoves(typed: string): Promise<Opening | SearchError> {
  const pgn = readPgn(typed.replaceAll(",", " "));
  if ("error" in pgn) return { why: "opening" };
  const moves = pgn.moves.map(({ san }) => san);
  if (moves.length > OPENING_PLIES_MAX) return { why: "moves" };
  const answer = await askPosition({ start: START_FEN, chess960: false, moves });
  if (answer.kind === "there") return { moves: answer.value.moves.map(({ uci }) => uci).join(",") };
  return answer.kind === "rejected" ? { why: "opening" } : errorOf(answer);
}
