/** The finished games of a player that fit a filter, page by page, and how many fit. Asked for over HTTP. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { AccountId, GameCounts, PlayedGame, PlayedGames } from "#protocol";
import { START_FEN } from "../../chess/position";
import { readPgn } from "../../chess/pgn";
import { askPosition } from "../../net/analysis";
import { type Answer, askJson } from "../../net/ask";
import { type GameFilter, NO_FILTER, OPENING_PLIES_MAX, queryOf } from "../../state/gameFilter";

/** Why a search could not be made. */
export type SearchError =
  | { readonly why: "opening" }
  | { readonly why: "moves" | "failed" }
  | { readonly why: "later"; readonly seconds: number }
  | { readonly why: "rejected"; readonly message: string };

export interface Found {
  readonly state: "loading" | "there" | "failed";
  readonly games: readonly PlayedGame[];
  /** The cursor of the next page; undefined on the last one. */
  readonly next: string | undefined;
  readonly counts: GameCounts | null;
  readonly error: SearchError | null;
  /** Of the search that this answers. */
  readonly query: string;
}

const NOTHING: Found = { state: "loading", games: [], next: undefined, counts: null, error: null, query: "" };

export interface Search extends Found {
  search(filter: GameFilter): void;
  more(): Promise<number>;
  again(): void;
}

export function useGames(account: AccountId): Search {
  const [found, set] = useState<Found>(NOTHING);
  const asked = useRef(0);
  const filter = useRef<GameFilter>(NO_FILTER);

  const search = async (wanted: GameFilter): Promise<void> => {
    filter.current = wanted;
    asked.current += 1;
    const number = asked.current;
    set((old) => ({ ...old, state: "loading", error: null }));
    const opening = await openingOf(wanted.opening);
    const next: Found | SearchError = Array.isArray(opening)
      ? await firstPage(queryOf(account, wanted, opening).toString())
      : (opening as SearchError);
    // A later search has its own answer.
    if (number !== asked.current) return;
    set("why" in next ? { ...NOTHING, state: "failed", error: next } : next);
  };
  const more = async (): Promise<number> => {
    const { query, next } = found;
    if (next === undefined) return 0;
    const number = asked.current;
    set((old) => ({ ...old, state: "loading" }));
    const answer = await askJson<PlayedGames>(`/api/games?${query}&before=${encodeURIComponent(next)}`);
    if (number !== asked.current) return 0;
    if (answer.kind !== "there") {
      set((old) => ({ ...old, state: "failed", error: errorOf(answer) }));
      return 0;
    }
    const { games, next: last } = answer.value;
    set((old) => ({ ...old, state: "there", error: null, games: [...old.games, ...games], next: last }));
    return games.length;
  };
  useEffect(() => void search(NO_FILTER), [account]);
  return {
    ...found,
    search: (wanted) => void search(wanted),
    more,
    again: () => void (found.next === undefined ? search(filter.current) : more()),
  };
}

async function firstPage(query: string): Promise<Found | SearchError> {
  const [page, counts] = await Promise.all([
    askJson<PlayedGames>(`/api/games?${query}`),
    askJson<GameCounts>(`/api/games/count?${query}`),
  ]);
  if (page.kind !== "there") return errorOf(page);
  const { games, next } = page.value;
  return { state: "there", games, next, counts: counts.kind === "there" ? counts.value : null, error: null, query };
}

function errorOf(answer: Exclude<Answer<unknown>, { readonly kind: "there" }>): SearchError {
  if (answer.kind === "later") return { why: "later", seconds: answer.seconds };
  return answer.kind === "rejected" ? { why: "rejected", message: answer.message } : { why: "failed" };
}

/** The moves in UCI, as typed in UCI or SAN, with numbers or without; the server names them. */
async function openingOf(typed: string): Promise<readonly string[] | SearchError> {
  if (typed.trim() === "") return [];
  const pgn = readPgn(typed.replaceAll(",", " "));
  if ("error" in pgn) return { why: "opening" };
  const moves = pgn.moves.map(({ san }) => san);
  if (moves.length > OPENING_PLIES_MAX) return { why: "moves" };
  const answer = await askPosition({ start: START_FEN, chess960: false, moves });
  if (answer.kind === "there") return answer.value.moves.map(({ uci }) => uci);
  return answer.kind === "rejected" ? { why: "opening" } : errorOf(answer);
}
