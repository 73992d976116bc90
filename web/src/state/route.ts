/**
 * The pages and their addresses, one to one.
 *
 * Pure. Does not know whether the game or player exists.
 */
import type { GameId } from "#protocol";
import { type GameFilter, NO_FILTER, conditionsOf, filterIn, parametersOf } from "./gameFilter";

export type Route =
  | { readonly at: "home" }
  | { readonly at: "game"; readonly id: GameId }
  | PlayerRoute
  | GamesRoute
  /** The own account. */
  | { readonly at: "account" }
  | AnalysisRoute
  | { readonly at: "lost" };

/** `who` is a name or an account; with `games` the page shows their finished games first, and only those that fit the filter. */
export interface PlayerRoute {
  readonly at: "player";
  readonly who: string;
  readonly games?: true;
  readonly filter?: GameFilter;
}

/** The finished games of everybody, or those that fit. */
export interface GamesRoute {
  readonly at: "games";
  readonly filter?: GameFilter;
}

/**
 * A finished game at one of its plies (null: at its end), or a position in FEN, or a PGN that this tab has kept, by its key,
 * or none of them: the first position.
 */
export interface AnalysisRoute {
  readonly at: "analysis";
  readonly game: GameId | null;
  readonly ply: number | null;
  readonly fen: string | null;
  readonly pgn?: string;
  /** The player has turned the board. */
  readonly bottom?: "black";
  /** The analysis of the whole game begins at once. It is no part of the address: nobody else begins it, nor a reload. */
  readonly begins?: true;
}

const PLAYER = /^\/@\/([0-9A-Za-z][0-9A-Za-z_-]{1,35})\/?$/u;
// Programs that were written for lichess.org add a side, from which the page does not look at the game.
const GAME = /^\/([0-9A-Za-z]{12})(?:\/(?:white|black))?\/?$/u;

const ANALYSIS = /^\/analysis(?:\/([0-9A-Za-z]{12}))?\/?$/u;

export const ANALYSIS_BOARD: AnalysisRoute = { at: "analysis", game: null, ply: null, fen: null };

/** The page of an address; `query` is what follows its path. */
export function routeOf(path: string, query = ""): Route {
  if (path === "/") return { at: "home" };
  if (path === "/me") return { at: "account" };
  if (path === "/games") return { at: "games", ...filterOf(filterIn(new URLSearchParams(query))) };
  const who = PLAYER.exec(path)?.[1];
  if (who !== undefined) return { at: "player", who, ...gamesOf(new URLSearchParams(query)) };
  const analysis = ANALYSIS.exec(path);
  if (analysis) return analysisOf(analysis[1] ?? null, new URLSearchParams(query));
  const id = GAME.exec(path)?.[1];
  return id === undefined ? { at: "lost" } : { at: "game", id };
}

function gamesOf(query: URLSearchParams): Pick<PlayerRoute, "games" | "filter"> {
  // Whose games they are says the path.
  return { ...(query.has("games") && { games: true }), ...filterOf({ ...filterIn(query), player: "" }) };
}

function filterOf(filter: GameFilter): { readonly filter?: GameFilter } {
  return conditionsOf(filter) > 0 ? { filter } : {};
}

function analysisOf(game: GameId | null, query: URLSearchParams): AnalysisRoute {
  const [ply, pgn] = [query.get("ply") ?? "", query.get("pgn") ?? ""];
  return {
    at: "analysis",
    game,
    ply: game !== null && /^\d{1,5}$/u.test(ply) ? Number(ply) : null,
    fen: game === null ? query.get("fen") : null,
    ...(game === null && /^\d{1,9}$/u.test(pgn) ? { pgn } : {}),
    ...(query.get("bottom") === "black" ? { bottom: "black" } : {}),
  };
}

/** The game that a page shows, and so is watched. */
export function gameOn(route: Route): GameId | null {
  return route.at === "game" ? route.id : route.at === "analysis" ? route.game : null;
}

function playerPath({ who, games, filter }: PlayerRoute): string {
  const query = [games ? "games" : "", filter ? parametersOf(filter) : ""].filter(Boolean).join("&");
  return `/@/${who}${query && "?"}${query}`;
}

function gamesPath({ filter }: GamesRoute): string {
  const query = filter ? parametersOf(filter) : "";
  return `/games${query && "?"}${query}`;
}

/** The page of the games of everybody with this name. */
export const gamesOfName = (player: string): GamesRoute => ({ at: "games", filter: { ...NO_FILTER, player } });

function analysisPath({ game, ply, fen, pgn, bottom }: AnalysisRoute): string {
  const query = [
    ply === null ? "" : `ply=${ply}`,
    fen === null ? "" : `fen=${encodeURIComponent(fen)}`,
    pgn === undefined ? "" : `pgn=${pgn}`,
    bottom === undefined ? "" : `bottom=${bottom}`,
  ].filter(Boolean);
  return `/analysis${game === null ? "" : `/${game}`}${query.length > 0 ? "?" : ""}${query.join("&")}`;
}

export function pathOf(route: Route): string {
  switch (route.at) {
    case "game":
      return `/${route.id}`;
    case "analysis":
      return analysisPath(route);
    case "player":
      return playerPath(route);
    case "games":
      return gamesPath(route);
    case "account":
      return "/me";
    default:
      return "/";
  }
}

/** What is one page, whichever of its games it shows: a filter has an address, and is no new page. */
export function pageOf(route: Route): string {
  if (route.at !== "player" && route.at !== "games") return pathOf(route);
  const { filter: _, ...page } = route;
  return pathOf(page);
}
