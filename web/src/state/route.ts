/**
 * The pages and their addresses, one to one.
 *
 * Pure. Does not know whether the game or player exists.
 */
import type { GameId } from "#protocol";

export type Route =
  | { readonly at: "home" }
  | { readonly at: "game"; readonly id: GameId }
  /** `who` is a name or an account; with `games` the page shows their finished games first, those `against` a player. */
  | { readonly at: "player"; readonly who: string; readonly games?: true; readonly against?: string }
  /** The own account. */
  | { readonly at: "account" }
  | AnalysisRoute
  | { readonly at: "lost" };

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
  const who = PLAYER.exec(path)?.[1];
  if (who !== undefined) return { at: "player", who, ...gamesOf(new URLSearchParams(query)) };
  const analysis = ANALYSIS.exec(path);
  if (analysis) return analysisOf(analysis[1] ?? null, new URLSearchParams(query));
  const id = GAME.exec(path)?.[1];
  return id === undefined ? { at: "lost" } : { at: "game", id };
}

function gamesOf(query: URLSearchParams): { games?: true; against?: string } {
  if (!query.has("games")) return {};
  const against = query.get("against");
  return { games: true, ...(against && { against }) };
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

const againstOf = (name: string | undefined): string => (name ? `&against=${encodeURIComponent(name)}` : "");

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
      return `/@/${route.who}${route.games ? `?games${againstOf(route.against)}` : ""}`;
    case "account":
      return "/me";
    default:
      return "/";
  }
}
