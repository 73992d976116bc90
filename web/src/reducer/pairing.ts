/**
 * Waiting for games: joins pools, remembers own challenges, opens the game that starts, and asks again after a lost
 * connection.
 *
 * Pure. What is remembered, and what a reconnect means for it, is in `state/pairing`.
 */
import type { ChallengeId, GameId, PoolId, ServerMessage } from "#protocol";
import { type LinkPhase, type Pending, seatOf } from "zeitnot-client";
import type { App } from "../state/app";
import { ownGames, playsByClock } from "../state/ownGames";
import {
  type Pairing,
  isExpected,
  onDisconnect,
  onReconnect,
  rivalsOf,
  withExpected,
  withLeave,
  withPool,
  withReplaced,
  withServerPool,
  withoutExpected,
  withoutLeave,
  withoutPool,
} from "../state/pairing";
import { type Change, type Effect, announce, change, inOrder, isUnderWay, notify, textOf } from "./effects";
import { navigate } from "./navigation";

/** After `welcome` the server resends own challenges and games without being asked; by then they have arrived. */
const SETTLE_MS = 1_000;

export function joinPool(app: App, pool: PoolId, now: number): Change {
  return change(
    update(app, withPool(app.pairing, pool, ownGameIds(app), now)),
    { do: "discard", which: ({ message }) => message.t === "join_pool" || message.t === "leave_pool" },
    { do: "send", message: { t: "join_pool", d: { pool } } },
  );
}

export function leavePool(app: App): Change {
  return change(
    update(app, withLeave(app.pairing)),
    { do: "discard", which: ({ message }) => message.t === "join_pool" },
    { do: "send", message: { t: "leave_pool", d: {} } },
  );
}

export function acceptChallenge(app: App, challenge: ChallengeId): Change {
  return change(update(app, withExpected(app.pairing, [challenge])), {
    do: "send",
    message: { t: "accept_challenge", d: { challenge } },
  });
}

/** No guest account could be created: everything that was requested is forgotten. */
export function forgetPairing(app: App): App {
  return update(app, { ...withoutPool(app.pairing), expected: [] });
}

/** The connection has changed from one phase to another. */
export function pairingLinked(app: App, before: LinkPhase, now: number): Change {
  const isOpen = (phase: LinkPhase): boolean => phase === "open" || phase === "slow";
  if (!isOpen(before) || isOpen(app.link.phase)) return change(app);
  return change(update(app, onDisconnect(app.pairing, now)), { do: "timer", timer: "settle", ms: null });
}

/** The connection is back. An unanswered `join_pool` may have led to a game: nothing is sent until that is known. */
export function pairingWelcomed(app: App): Change {
  if (app.pairing.lostAt === null) return change(app);
  return change(
    app,
    { do: "discard", which: ({ message, tries }) => message.t === "join_pool" && tries > 0 },
    { do: "timer", timer: "settle", ms: SETTLE_MS },
  );
}

/** Challenges and games have arrived after a reconnect. */
export function pairingSettled(app: App, now: number): Change {
  const { challenges, account } = app;
  const open = Object.values(challenges).flatMap((one) => (one.by.account === account ? [one.challenge] : []));
  const { pairing, send, found, dropped } = onReconnect(
    app.pairing,
    ownGameIds(app),
    open,
    isUnderWay(app, "join_pool"),
    now,
  );
  return inOrder(
    update(app, pairing),
    (settled) => change(settled, ...send.map((message) => ({ do: "send" as const, message }))),
    (settled) => (found === null ? change(settled) : openGame(settled, found, true)),
    (settled) => change(dropped ? notify(settled, "info", textOf(settled).lobby.dropped) : settled),
  );
}

/** A message has made `app` of `before`; `isNew`: its game was not known before. */
export function pairingReceived(
  before: App,
  app: App,
  message: ServerMessage,
  answers: Pending | null,
  isNew: boolean,
  now: number,
): Change {
  const { pairing } = app;
  switch (message.t) {
    case "waiting": {
      const unanswered = { joining: isUnderWay(app, "join_pool"), leaving: isUnderWay(app, "leave_pool") };
      const told = update(app, withServerPool(pairing, message.d, unanswered, now));
      if (message.d.game === undefined) return change(told);
      // An opponent may have been found before the server read `leave_pool`.
      return pairing.wanted !== null || isUnderWay(app, "leave_pool")
        ? openGame(told, message.d.game, true)
        : mention(told);
    }
    case "challenge":
      // Whoever offers a rematch here may wait elsewhere for another game, too, and is led to the one that begins.
      return change(
        answers?.message.t === "offer_rematch" ? update(app, withExpected(pairing, [message.d.challenge])) : app,
      );
    case "challenge_gone":
      if (message.d.game === undefined) return change(update(app, withoutExpected(pairing, message.d.challenge)));
      if (isExpected(pairing, message.d.game))
        return change(update(app, withExpected(withoutExpected(pairing, message.d.game), [message.d.game])));
      return isElsewhere(before, message.d.challenge) ? mention(app) : change(app);
    case "snapshot":
      if (!isNew || !isExpected(pairing, message.d.game)) return change(app);
      return begun(update(app, withoutExpected(pairing, message.d.game)), message.d.game, false);
    case "ok":
      // A challenge that was sent again has already become a game.
      return answers?.message.t === "create_challenge" && message.d.game !== undefined
        ? begun(update(app, withReplaced(pairing, message.d.game, pairing.replaces[answers.id])), message.d.game, true)
        : change(app);
    case "rejected":
      if (answers?.message.t === "join_pool") return change(update(app, withoutPool(pairing)));
      if (answers?.message.t === "leave_pool") return change(update(app, withoutLeave(pairing)));
      if (answers?.message.t === "accept_challenge")
        return change(update(app, withoutExpected(pairing, answers.message.d.challenge)));
      return change(app);
    default:
      return change(app);
  }
}

/** Whether a challenge has become a game, whose first snapshot may still be on its way. */
export function hasBecomeGame({ games, pairing, gone }: App, id: string): boolean {
  return id in games || (pairing.expected.includes(id) && !(id in gone));
}

export function withdraw(challenge: ChallengeId): Effect {
  return { do: "send", message: { t: "cancel_challenge", d: { challenge } } };
}

/** Withdraws the open ones of the own challenges of which only `id` is to become a game, or has. */
export function withdrawRivals(app: App, id: ChallengeId): Effect[] {
  const { challenges, pairing, gone, link } = app;
  const isOpen = (one: string): boolean => (one in challenges || one in pairing.ownChallenges) && !(one in gone);
  const isAsked = (one: string): boolean =>
    link.outbox.some(({ message: { t, d } }) => t === "cancel_challenge" && d.challenge === one);
  return rivalsOf(pairing, id)
    .filter((one) => isOpen(one) && !isAsked(one))
    .map(withdraw);
}

/** The game of an own challenge: no other challenge in its place is to become one, too. */
function begun(app: App, id: GameId, speak: boolean): Change {
  return inOrder(
    app,
    (at) => openGame(at, id, speak),
    (at) => change(at, ...withdrawRivals(at, id)),
  );
}

/** Opens a game that was waited for, unless one whose clocks run is being played on this page. */
function openGame(app: App, id: GameId, speak: boolean): Change {
  const { route, games, account } = app;
  if (route.at === "game" && route.id === id) return change(app);
  if (playsByClock(app)) return mention(app);
  const game = games[id];
  return inOrder(
    app,
    (at) => navigate(at, { at: "game", id }),
    (at) => {
      if (!speak || !game) return change(at);
      const seat = seatOf(game, account);
      const text = textOf(at);
      return announce(at, { say: text.announcements.began(seat ? text.sides[seat] : null), sound: "begin" });
    },
  );
}

/** A game has started that this page does not open. */
function mention(app: App): Change {
  return change(notify(app, "info", textOf(app).lobby.begunElsewhere), { do: "play", sound: "begin" });
}

function update(app: App, pairing: Pairing): App {
  return app.pairing === pairing ? app : { ...app, pairing };
}

function ownGameIds(app: App): readonly GameId[] {
  return ownGames(app).map(({ id }) => id);
}

/** A known challenge that is not on the screen. A game's page opens its rematch by itself. */
function isElsewhere({ challenges, route }: App, id: ChallengeId): boolean {
  const challenge = challenges[id];
  return challenge !== undefined && challenge.rematch_of === undefined && !(route.at === "game" && route.id === id);
}
