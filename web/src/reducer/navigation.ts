/**
 * Pages and what they subscribe to: the home page to the lobby, a game's page and its analysis to the game.
 *
 * Pure. A finished game is watched too, because its chat goes on.
 */
import type { GameId } from "#protocol";
import { type App, type Route, withAnnouncement, withEndSeen } from "../state/app";
import { gameOn, pageOf, pathOf } from "../state/route";
import { type Change, type Effect, change } from "./effects";

/** Shows a page whose address is already in the browser's history. */
export function goTo(app: App, route: Route): Change {
  const connects: Effect[] = gameOn(route) !== null || route.at === "home" ? [{ do: "connect" }] : [];
  // What was read out of another page does not hold on this one.
  const quiet = pathOf(route) === pathOf(app.route) ? app : withAnnouncement(app, "");
  const next: App = withEndSeen({ ...quiet, route, notice: null }, gameOn(route) ?? "");
  return change(next, ...leave(app, route), ...connects, ...subscribe(next));
}

/** Opens a page and puts its address into the browser's history. */
export function navigate(app: App, route: Route): Change {
  const { app: next, effects } = goTo(app, route);
  const path = pathOf(route);
  const isSamePage = pageOf(route) === pageOf(app.route) && path !== pathOf(app.route);
  return change(next, { do: "push", path, isSamePage }, ...effects);
}

/** Requests what the current page shows. */
export function subscribe(app: App): Effect[] {
  const { route } = app;
  if (route.at === "home") return [{ do: "request", message: { t: "enter_lobby", d: { id: "lobby" } } }];
  const game = gameOn(route);
  return game === null ? [] : [watch(app, game)];
}

export function watch(app: App, game: GameId): Effect {
  const known = app.games[game];
  const d = { game, id: "watch" };
  return { do: "request", message: { t: "watch", d: known ? { ...d, after: known.seq } : d } };
}

/** Ends what the old page subscribed to. Players get the events of their own live games anyway. */
function leave({ route: from, games }: App, to: Route): Effect[] {
  const effects: Effect[] = [];
  if (from.at === "home" && to.at !== "home") effects.push({ do: "request", message: { t: "leave_lobby", d: {} } });
  const game = gameOn(from);
  if (game !== null && gameOn(to) !== game && games[game])
    effects.push({ do: "request", message: { t: "unwatch", d: { game } } });
  return effects;
}
