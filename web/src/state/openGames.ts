/**
 * Open games: one's own, and those that a player may join, how many have the clock of a pool, and which one is offered to
 * whoever waits.
 *
 * Pure. For which ratings an open game is stands beside it; whether one's own is among them only the server knows.
 */
import type { Challenge, ChallengeId, PoolId } from "#protocol";
import type { App } from "./app";
import { controlOfPool, poolWith, speedOf } from "./lobby";
import { ALONE_AFTER_MS, PAIRED_WITHIN_MS } from "./pairing";

type Known = Pick<App, "lobby" | "account" | "people">;

/** Whether a command to accept, decline or withdraw a challenge is under way. */
export function isBeingAnswered({ link }: Pick<App, "link">, id: ChallengeId): boolean {
  return link.outbox.some(
    ({ message }) =>
      (message.t === "accept_challenge" || message.t === "decline_challenge" || message.t === "cancel_challenge") &&
      message.d.challenge === id,
  );
}

/** One's own that wait for somebody. One that is being withdrawn is not among them. */
export function ownOpenGames(app: App): readonly Challenge[] {
  return Object.values(app.challenges).filter(
    ({ seek, by, challenge }) => seek && by.account === app.account && !isBeingAnswered(app, challenge),
  );
}

/** Those of others, the oldest first. A rated one is for registered players. */
export function joinable({ lobby, account, people }: Known): readonly Challenge[] {
  const seeks = lobby?.seeks ?? [];
  return seeks.filter(({ by, rated }) => by.account !== account && (!rated || people.kind === "registered"));
}

/** Whether others offer any, for whomever. */
export function hasOpenGames({ lobby, account }: Known): boolean {
  return lobby?.seeks.some(({ by }) => by.account !== account) ?? false;
}

/** Those in which the game of a pool is played. */
export function openIn(app: Known, pool: PoolId): readonly Challenge[] {
  return joinable(app).filter(
    ({ variant, fen, time_control: control }) =>
      variant === "standard" && fen === undefined && poolWith(control) === pool,
  );
}

/**
 * The one that suits whoever waits in a pool and has not been paired: what is played there at once, after a while what has
 * another clock, first one of the same speed.
 */
export function openGameFor(app: Known & Pick<App, "pairing">, now: number): Challenge | null {
  const { pool, since } = app.pairing;
  if (pool === null || since === null || now - since < PAIRED_WITHIN_MS) return null;
  const [same] = openIn(app, pool);
  if (same || now - since < ALONE_AFTER_MS) return same ?? null;
  const speed = speedOf(controlOfPool(pool));
  const others = joinable(app).filter(({ time_control: control }) => control.kind === "clock");
  return others.find(({ time_control: control }) => speedOf(control) === speed) ?? others[0] ?? null;
}
