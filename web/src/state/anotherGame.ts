/**
 * Another game beside one whose clocks run: it is begun only after a question.
 *
 * Pure. Games without clocks and correspondence games matter on neither side.
 */
import type { ChallengeId, PoolId } from "#protocol";
import type { App } from "./app";
import { runningGame } from "./calls";
import { placeOf } from "./pairing";

/** What a player begins by a press: waiting in a pool, or the game of a challenge. */
export type Beginning = { readonly pool: PoolId } | { readonly challenge: ChallengeId };

/** Whether it is asked about first. Whoever waits in a pool has been asked. */
export function asksFirst(app: App, what: Beginning): boolean {
  if (runningGame(app) === null || placeOf(app.pairing) !== null) return false;
  return "pool" in what || hasClocks(app, what.challenge);
}

function hasClocks({ challenges, invitations, lobby }: App, id: ChallengeId): boolean {
  const read = invitations[id];
  const terms = challenges[id] ?? lobby?.seeks.find(({ challenge }) => challenge === id) ?? read;
  return terms !== undefined && terms !== "unread" && terms.time_control.kind === "clock";
}
