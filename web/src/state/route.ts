/**
 * The pages and their addresses, one to one.
 *
 * Pure. Does not know whether the game or player exists.
 */
import type { GameId } from "#protocol";

export type Route =
  | { readonly at: "home" }
  | { readonly at: "game"; readonly id: GameId }
  /** `who` is a name or an account. */
  | { readonly at: "player"; readonly who: string }
  /** The own account. */
  | { readonly at: "account" }
  | { readonly at: "lost" };

const PLAYER = /^\/@\/([0-9A-Za-z][0-9A-Za-z_-]{1,35})\/?$/u;
// Programs that were written for lichess.org add a side, from which the page does not look at the game.
const GAME = /^\/([0-9A-Za-z]{12})(?:\/(?:white|black))?\/?$/u;

export function routeOf(path: string): Route {
  if (path === "/") return { at: "home" };
  if (path === "/me") return { at: "account" };
  const who = PLAYER.exec(path)?.[1];
  if (who !== undefined) return { at: "player", who };
  const id = GAME.exec(path)?.[1];
  return id === undefined ? { at: "lost" } : { at: "game", id };
}

export function pathOf(route: Route): string {
  switch (route.at) {
    case "game":
      return `/${route.id}`;
    case "player":
      return `/@/${route.who}`;
    case "account":
      return "/me";
    default:
      return "/";
  }
}
