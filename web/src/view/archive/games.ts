/**
 * The finished games of a player that fit a filter, page by page, and how many fit. Asked for over HTTP; of the last lists
 * what was loaded is kept, for the way back to them.
 */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { AccountId, FoundPlayer, GameCounts, PlayedGame } from "#protocol";
import { type Answer, askJson } from "../../net/ask";
import { GameReader } from "../../net/gameReader";
import { KeptAnswers } from "../../net/keptAnswers";
import { findPlayers } from "../../net/find";
import {
  type GameFilter,
  type Opening,
  type SideQuery,
  allSides,
  areDecided,
  bySide,
  isAgainst,
  parametersOf,
} from "../../state/gameFilter";
import { type CountsOfSide, type GameTally, decided, tallyOf } from "../../state/gameTally";
import type { Whose } from "../../state/played";
import { type Somebody, isBeginning } from "../../state/suggestions";
import { type SearchError, errorOf, openingOf } from "./opening";
import { whoseGames } from "./whose";
import { LISTS_KEPT, forgetPlace, isWayBack } from "./wayBack";

export interface Found {
  /** The address of the list: that of a search that has just begun is another one. */
  readonly address: string;
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
  /** The address of the list where it is shown again as it was left; null where it was searched for. */
  readonly backTo: string | null;
}

const NOTHING: Found = {
  address: "",
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
  backTo: null,
};

interface List {
  readonly found: Found;
  readonly reader: GameReader;
}

const lists = new KeptAnswers<List>(LISTS_KEPT);

/** A list as it was left, for whoever comes back to it. */
function backTo(address: string): List | null {
  const list = isWayBack() ? lists.find(address) : null;
  return list && { ...list, found: { ...list.found, address, backTo: address } };
}

/** The same list has another address from now on. */
export function readdress(from: string, to: string): void {
  const list = lists.find(from);
  if (list) lists.keep(to, list);
  forgetPlace(to);
}

/** The games of an account are told from its side under whatever name. */
export const whoIs = (one: Somebody): Whose => (typeof one === "string" ? { account: null, name: one } : one);

export const addressOf = (account: AccountId | null, filter: GameFilter): string =>
  `${account ?? ""}?${parametersOf(filter)}`;

export interface Search extends Found {
  more(): Promise<number>;
  again(): void;
}

/** The games of an account, or those of everybody, among which the filter may look for a player. */
export function useGames(account: AccountId | null, filter: GameFilter): Search {
  const address = addressOf(account, filter);
  const [found, set] = useState<Found>(() => backTo(address)?.found ?? NOTHING);
  const asked = useRef(0);
  const reader = useRef<GameReader | null>(null);

  const search = async (): Promise<void> => {
    reader.current = null;
    asked.current += 1;
    const number = asked.current;
    set((old) => ({ ...old, address, state: "loading", error: null }));
    const opening = await openingOf(filter.opening);
    const first = "why" in opening ? opening : await firstTurn(account, filter, opening);
    // A later search has its own answer.
    if (number !== asked.current) return;
    if ("why" in first) return set({ ...NOTHING, address, state: "failed", error: first });
    reader.current = first.reader;
    set({ ...first.found, address });
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
  useLayoutEffect(() => {
    const list = backTo(address);
    if (!list) {
      forgetPlace(address);
      return void search();
    }
    // A search that is under way is for another list.
    asked.current += 1;
    reader.current = list.reader;
    set(list.found);
  }, [address]);
  const state = found.address === address ? found.state : "loading";
  useEffect(() => {
    if (state === "there" && reader.current) lists.keep(address, { found, reader: reader.current });
  }, [found]);
  return {
    ...found,
    address,
    state,
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
  const { one, others } = await whoseGames({ ...wanted, player: named });
  const who = account ?? (one === null ? named : typeof one === "string" ? one : one.account);
  const isOfDecided = account === null && areDecided(wanted);
  const reader = new GameReader(allSides(who, wanted, opening), (game) => !isOfDecided || game.score !== "*");
  const name = wanted.opponent.trim();
  const [games, counted, opponents] = await Promise.all([
    reader.turn(),
    countOf(bySide(who, wanted, opening)),
    playersOf(name),
  ]);
  const today = typeof one === "object" && one !== null ? [...opponents, one] : opponents;
  // Nothing else can be wrong with a search that the form has made.
  if ("kind" in games) return games.kind === "rejected" && opening.opening ? { why: "name" } : errorOf(games);
  // The server knows whole names of accounts: guests, and parts of names, are looked for here.
  if (who !== "" && name !== "" && games.length === 0) {
    const player = account === null ? whoIs(one ?? named) : { account, name: "" };
    return byPart(who, player, wanted, opening, { today: opponents, whose: one, others });
  }
  const { isAtEnd, queries } = reader;
  const tally = counted && isOfDecided ? decided(counted) : counted;
  return { reader, found: { ...NOTHING, state: "there", games, isAtEnd, tally, today, whose: one, others, queries } };
}

async function byPart(
  who: string,
  player: Whose,
  wanted: GameFilter,
  opening: Opening,
  people: Pick<Found, "today" | "whose" | "others">,
): Promise<FirstTurn | SearchError> {
  const accounts = people.today.map(({ account }) => account);
  const reader = new GameReader(allSides(who, { ...wanted, opponent: "" }, opening), (game) =>
    isAgainst(game, player, wanted.opponent, accounts),
  );
  const games = await reader.turn();
  if ("kind" in games) return errorOf(games);
  const { isAtEnd, looked } = reader;
  return { reader, found: { ...NOTHING, state: "there", games, isAtEnd, among: looked, ...people } };
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

/** The parts of a page that opens ask within this time, of which one may have its answer before the other asks. */
const COUNTS_KEPT_MS = 2_000;

/** Counts that were asked for a moment ago: two parts of a page that ask for the same have one answer. */
const askedLately = new Map<string, Promise<Answer<GameCounts>>>();

function askCounts(query: string): Promise<Answer<GameCounts>> {
  const lately = askedLately.get(query);
  if (lately) return lately;
  const asked = askJson<GameCounts>(`/api/games/count?${query}`);
  askedLately.set(query, asked);
  const forget = () => askedLately.delete(query);
  // What was not answered may be asked again at once.
  void asked.then(({ kind }) => (kind === "there" ? setTimeout(forget, COUNTS_KEPT_MS) : forget()));
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
