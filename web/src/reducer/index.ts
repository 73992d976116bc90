/**
 * What follows from everything that reaches the page: `(app, input) -> { app, effects }`.
 *
 * Pure, and the only place that knows the order: first the message is folded into the state (`state/app`), then pairing,
 * rematch, announcements, the game, rejections and challenges look at what has changed. The store carries out effects.
 */
import type { AccountId, Challenge, ChallengeId, GameId, Rejected, ServerMessage, Welcome } from "#protocol";
import {
  type Arrival,
  type Game,
  type LinkState,
  type Pending,
  endsWith,
  isClockEstimated,
  isClockVague,
  isComplete,
  seatOf,
} from "zeitnot-client";
import { readFen } from "../chess/position";
import { type Color, other } from "../chess/square";
import { announceGame, announceOther } from "../state/announcements";
import {
  type App,
  forgetAccount,
  inputOf,
  isOnePremoveTold,
  isToNobody,
  receive,
  withEndSeen,
  withInput,
  withAnnouncement,
  withoutStaleNotice,
  shownGame,
} from "../state/app";
import { type BoardInput, type InputResult, displayed, onTurn } from "../state/boardInput";
import { callOf } from "../state/calls";
import { withoutKept } from "../state/invitations";
import { type AccountKind, withPlayerName } from "../state/people";
import { rivalsOf } from "../state/pairing";
import { isKeptSame, isRematch } from "../state/rematch";
import { type Settings, readSettings } from "../state/settings";
import type { Catalogue, Language } from "../text";
import { showDropped, showResult, showUci } from "../text/words";
import { askAboutKept, challengesReceived, saidAfterGame, termsRead } from "./challenges";
import { type Change, type Effect, type Timer, announce, change, inOrder, notify, textOf } from "./effects";
import { navigate, subscribe, watch } from "./navigation";
import { forgetPairing, pairingLinked, pairingReceived, pairingSettled, pairingWelcomed } from "./pairing";

/** A reload of the opponent's page takes less and is not announced. */
const ABSENCE_LASTS_MS = 2_000;
const SUBSCRIBE_AGAIN_MS = 3_000;
/** After `welcome` own challenges and games come without being asked for; by then they have. */
const RESENT_MS = 1_000;
/** The server sends at most so many plies in one `history`. */
const HISTORY_PLIES = 200;

/** `now` is wall-clock ms. */
export type Input =
  | { readonly on: "link"; readonly link: LinkState; readonly now: number }
  | { readonly on: "welcome"; readonly welcome: Welcome }
  | {
      readonly on: "message";
      readonly message: ServerMessage;
      readonly arrival: Arrival;
      readonly answers: Pending | null;
      readonly now: number;
    }
  /** The connection has proved to be alive, as it does every few seconds. */
  | { readonly on: "alive" }
  | { readonly on: "noGuest"; readonly code: string }
  | { readonly on: "settings"; readonly change: Partial<Settings> }
  /** What is kept for the account was changed later than what this page has. */
  | { readonly on: "accountSettings"; readonly stored: unknown }
  /** The texts of a language that was chosen; null if they could not be loaded. */
  | { readonly on: "texts"; readonly language: Language; readonly text: Catalogue | null }
  | { readonly on: "timer"; readonly timer: Timer; readonly now: number }
  /** The answer about a challenge; `terms` is null for one that is not open, with the code that says why. */
  | {
      readonly on: "invitation";
      readonly challenge: ChallengeId;
      readonly terms: Challenge | "unread" | null;
      readonly code: string;
      /** The terms of one that is not open, as far as the server remembers them. */
      readonly was?: Challenge | null;
      readonly now: number;
    }
  /** The player has seen how a challenge or a game ended; a game has the id of its challenge. */
  | { readonly on: "told"; readonly challenge: ChallengeId }
  | { readonly on: "name"; readonly account: AccountId; readonly name: string }
  | { readonly on: "kind"; readonly kind: AccountKind };

export function reduce(app: App, input: Input): Change {
  const next = step(app, input);
  const { kept, rematches } = next.app;
  return change(
    next.app,
    ...next.effects,
    ...(kept === app.kept ? [] : [{ do: "keepChallenges", kept } as const]),
    ...(isKeptSame(app.rematches, rematches) ? [] : [{ do: "keepRematches", rematches } as const]),
  );
}

function step(app: App, input: Input): Change {
  switch (input.on) {
    case "link":
      return pairingLinked({ ...app, link: input.link }, app.link.phase, input.now);
    case "welcome":
      return welcomed(app, input.welcome);
    case "message":
      return received(app, input.message, input.arrival, input.answers, input.now);
    case "alive":
      return change(app, ...measureClock(app));
    case "noGuest":
      return change(fail(forgetPairing(app), input.code));
    case "accountSettings":
      return taken(app, input.stored);
    case "settings":
      return changed(app, input.change);
    case "texts":
      return spoken(app, input.language, input.text);
    case "timer":
      return timedOut(app, input.timer, input.now);
    case "invitation":
      return termsRead(app, input);
    case "told":
      return change(withEndSeen({ ...app, kept: withoutKept(app.kept, input.challenge) }, input.challenge));
    case "name":
      return change({ ...app, people: withPlayerName(app.people, input.account, input.name) });
    case "kind":
      return kindRead(app, input.kind);
  }
}

/** A board was used. Where one premove is kept, each attempt to make another one beside it is explained. */
export function boardUsed(app: App, game: Game, result: InputResult): Change {
  if (result.play !== undefined) return applyInput(app, game, result);
  const used = withUsedInput(app, game.id, result.input);
  if (app.settings.premoves !== "one") return change(used);
  const [before] = inputOf(app, game.id).premoves;
  const [now] = result.input.premoves;
  const isForAnother = before !== undefined && now !== undefined && now !== before;
  const told: App =
    result.isKept || isForAnother ? { ...used, onePremoveTold: { game: game.id, on: game.on, first: before } } : used;
  const isNews = now !== undefined && (result.isKept || now !== before) && isOnePremoveTold(told, game);
  if (!isNews) return change(told);
  const text = textOf(app);
  const move = showUci(text, now, displayed(readFen(game.fen), result.input, game.on));
  return change(withAnnouncement(told, text.game.premoveOnly(move)));
}

/** The player changes the input of a board: that a premove is taken away is said. */
export function withUsedInput(app: App, id: GameId, input: BoardInput): App {
  if (input.premoves.length >= inputOf(app, id).premoves.length) return withInput(app, id, input);
  const changed = withInput(app, id, { ...input, cancelledOn: app.games[id]?.on ?? null });
  return withAnnouncement(changed, textOf(app).announcements.premoveGone);
}

/** The input of a board changes, and a complete move is sent. */
export function applyInput(app: App, game: Game, { input, play }: InputResult): Change {
  if (play === undefined) return change(withInput(app, game.id, input));
  const sent = withInput(app, game.id, { ...input, sent: { on: game.on, uci: play } });
  return change(sent, { do: "send", message: { t: "move", d: { game: game.id, on: game.on, uci: play } } });
}

/** Takes effect at once, and is kept for the next visit. A language does so when its texts are loaded. */
function changed(app: App, { language, ...chosen }: Partial<Settings>): Change {
  const settings = { ...app.settings, ...chosen };
  const load: Effect[] = language && language !== settings.language ? [{ do: "loadTexts", language }] : [];
  return change({ ...app, settings }, { do: "keepSettings", settings }, ...load);
}

/** It is kept already. */
function taken(app: App, stored: unknown): Change {
  const { language, ...settings } = readSettings(stored, [app.settings.language]);
  const load: Effect[] = language === app.settings.language ? [] : [{ do: "loadTexts", language }];
  return change({ ...app, settings: { ...settings, language: app.settings.language } }, ...load);
}

function spoken(app: App, language: Language, text: Catalogue | null): Change {
  if (!text) return change(notify(app, "error", textOf(app).site.languageFailed));
  const settings = { ...app.settings, language };
  return change({ ...app, settings, text }, { do: "keepSettings", settings });
}

/** Another epoch means restored data: nothing that is remembered may be true. Nor is it another account's. */
function welcomed(app: App, { account, epoch }: Welcome): Change {
  const own = app.account !== null && app.account !== account ? forgetAccount(app) : app;
  const known: App = own.epoch !== null && own.epoch !== epoch ? { ...own, games: {}, inputs: {} } : own;
  const ask: Effect[] = Object.keys(known.kept).length ? [{ do: "timer", timer: "kept", ms: RESENT_MS }] : [];
  return inOrder(known, (now) => change(now, ...subscribe(now), ...ask), pairingWelcomed);
}

function timedOut(app: App, timer: Timer, now: number): Change {
  switch (timer) {
    case "settle":
      return pairingSettled(app, now);
    case "kept":
      return askAboutKept(app);
    case "subscribe":
      return change(app, ...subscribe(app));
    case "absence": {
      if (!app.absent) return change(app);
      const { announcements, sides } = textOf(app);
      return change(
        withAnnouncement(
          { ...app, absent: { ...app.absent, isAnnounced: true } },
          announcements.away(sides[app.absent.side]),
        ),
      );
    }
  }
}

function received(before: App, message: ServerMessage, arrival: Arrival, answers: Pending | null, now: number): Change {
  const id = "game" in message.d ? message.d.game : undefined;
  const known = id === undefined ? undefined : before.games[id];
  const folded = receive(before, message, arrival, answers);
  const game = id === undefined ? undefined : folded.games[id];
  return inOrder(
    folded,
    (app) => pairingReceived(before, app, message, answers, known === undefined, now),
    (app) => (isRematchOfShown(before, app, message) ? navigate(app, { at: "game", id: message.d.game }) : change(app)),
    (app) => announce(app, announceOther(textOf(app), message, before, app)),
    (app) => (game ? gameChanged(app, message, known, game) : change(app)),
    (app) => (message.t === "rejected" ? rejected(app, message.d, answers) : change(app)),
    (app) => challengesReceived(before, app, message, answers, now),
    (app) => saidAfterGame(before, app),
    (app) => called(before, app, message),
    (app) => (message.t === "welcome" || message.t === "name" ? change(app, ...askKind(app, message.t)) : change(app)),
    (app) => change(message.t === "ok" && answers?.message.t === "set_name" ? nameTaken(app, answers.message.d) : app),
  );
}

/** Only to whoever chose it here: an account that registers, or that chose it elsewhere, is told there. */
function nameTaken(app: App, { name }: { readonly name: string }): App {
  return notify(app, "info", textOf(app).lobby.nameTaken(name));
}

function called(before: App, app: App, message: ServerMessage): Change {
  const call = callOf(textOf(app), message, before, app);
  if (!call) return change(app);
  return change(app, { do: "call", call }, ...(message.t === "turn" ? [{ do: "vibrate" } as const] : []));
}

/** A guest who registers elsewhere is told the name; what kind of account it is now has to be asked. */
function askKind({ account, people }: App, after: "welcome" | "name"): Effect[] {
  return account !== null && (people.kind === null || after === "name") ? [{ do: "fetchKind" }] : [];
}

/** A registered account has its settings with it. */
function kindRead(app: App, kind: AccountKind): Change {
  const { account } = app;
  const settings: Effect[] =
    account === null ? [] : [{ do: "fetchSettings", account, isRegistered: kind === "registered" }];
  return change({ ...app, people: { ...app.people, kind } }, ...settings);
}

/** A turn that takes longer than a ping has its clock measured, once: the message that began it may have come late. */
function measureClock(app: App): Effect[] {
  const game = shownGame(app);
  return game && isClockEstimated(game) ? [watch(app, game.id)] : [];
}

function isRematchOfShown(
  before: App,
  { route }: App,
  message: ServerMessage,
): message is Extract<ServerMessage, { t: "snapshot" }> {
  return message.t === "snapshot" && route.at === "game" && isRematch(before.rematches, route.id, message.d.game);
}

/** What a message about a game asks for: an announcement, missing plies, an exact clock, the premove. */
function gameChanged(app: App, message: ServerMessage, known: Game | undefined, game: Game): Change {
  const isShown = app.route.at === "game" && app.route.id === game.id;
  const requests: Effect[] = [];
  if (message.t === "move" && isShown && isClockVague(game)) requests.push(watch(app, game.id));
  if (message.t === "snapshot" || (message.t === "history" && known !== game)) requests.push(...earlierPlies(game));
  if (message.t === "ended") requests.push({ do: "discard", which: (pending) => endsWith(pending, game.id) });
  return inOrder(
    withoutStaleNotice(app, known, game),
    (now) =>
      isShown ? announce(now, announceGame(textOf(now), message, known, game, seatOf(game, now.account))) : change(now),
    (now) => change(message.t === "ended" && !isShown ? endedElsewhere(now, known, game) : now),
    (now) => (message.t === "presence" ? presence(now, game, message.d.color) : change(now)),
    (now) => change(now, ...requests),
    (now) => (message.t === "turn" && game.turn?.on === message.d.on ? turn(now, game, message.d.legal) : change(now)),
  );
}

/** An own game has ended that is not on the page: it is said now, and stands on the home page until it was seen. */
function endedElsewhere(app: App, known: Game | undefined, game: Game): App {
  const seat = seatOf(game, app.account);
  if (seat === null || !game.outcome || known?.phase === "ended") return app;
  const text = textOf(app);
  const words = text.calls.ended(game.players[other(seat)].name, showResult(text, game.outcome, seat));
  const told: App = { ...app, endedAway: { ...app.endedAway, [game.id]: true } };
  return app.route.at === "home" ? withAnnouncement(told, words) : notify(told, "info", words);
}

/** The early plies of a long game come in portions, the latest first. */
function earlierPlies(game: Game): Effect[] {
  if (isComplete(game)) return [];
  const first = game.plies[0]?.ply ?? game.plyCount + 1;
  return [{ do: "request", message: { t: "history", d: { game: game.id, from: Math.max(1, first - HISTORY_PLIES) } } }];
}

/** Plays or drops the premove, unless a move for this position is already on its way: the link sends that again. */
function turn(app: App, game: Game, legal: readonly string[]): Change {
  const input = inputOf(app, game.id);
  if (input.sent?.on === game.on) return change(app);
  const result = onTurn(input, readFen(game.fen), legal, game.on, app.settings.premoves === "several");
  const { dropped } = result.input;
  // After the opponent's move, which was just said: the live region keeps one sentence.
  const told =
    dropped === null || dropped === input.dropped
      ? app
      : withAnnouncement(
          app,
          [app.announcement.text, showDropped(textOf(app), game, dropped.uci)].filter(Boolean).join(". "),
        );
  return applyInput(told, game, result);
}

/** An absence is announced only if it lasts, and a return only if the absence was announced. */
function presence(app: App, game: Game, side: Color): Change {
  if (game.phase !== "playing" || seatOf(game, app.account) !== other(side)) return change(app);
  const isAnnounced = app.absent?.isAnnounced ?? false;
  if (game.away[side])
    return change({ ...app, absent: { side, isAnnounced } }, { do: "timer", timer: "absence", ms: ABSENCE_LASTS_MS });
  const { announcements, sides } = textOf(app);
  const back: App = { ...app, absent: null };
  return change(isAnnounced ? withAnnouncement(back, announcements.back(sides[side])) : back, {
    do: "timer",
    timer: "absence",
    ms: null,
  });
}

function rejected(app: App, { code, id, message, game }: Rejected, answers: Pending | null): Change {
  const isLater = id === "lobby" || (id === "watch" && code === "unavailable");
  const retry: Effect[] = isLater ? [{ do: "timer", timer: "subscribe", ms: SUBSCRIBE_AGAIN_MS }] : [];
  if (!answers || tookEffect(app, answers, code)) return change(app, ...retry);
  // The form stands below the field, and the line of commands in its answer: there is no notice over them.
  if (isToNobody(answers.message, code))
    return change(withAnnouncement(app, textOf(app).codes.unknown_account), ...retry);
  const failed = fail(app, code, code.startsWith("bad_") ? message : "", game);
  if (answers.message.t !== "accept_challenge") return change(failed, ...retry);
  // Somebody else was quicker: then there is a game to watch.
  const { challenge } = answers.message.d;
  const isShown = app.route.at === "game" && app.route.id === challenge;
  return change(failed, ...retry, ...(isShown ? [watch(failed, challenge)] : []));
}

/**
 * Ending a challenge a second time finds it ended so, or not at all: the first request was carried out. One that is withdrawn
 * for another one may have become a game before, which is shown.
 */
function tookEffect({ pairing }: App, { message, tries }: Pending, code: string): boolean {
  const ended = { cancel_challenge: "challenge_cancelled", decline_challenge: "challenge_declined" } as const;
  if (message.t !== "cancel_challenge" && message.t !== "decline_challenge") return false;
  const hasRivals = rivalsOf(pairing, message.d.challenge).length > 0;
  if (tries < 2 && !hasRivals) return false;
  return code === "unknown_challenge" || code === ended[message.t] || (hasRivals && code === "challenge_taken");
}

function fail(app: App, code: string, detail = "", about: GameId | null = null): App {
  const known: Readonly<Record<string, string>> = textOf(app).codes;
  return notify(app, "error", [known[code] ?? code, detail].filter(Boolean).join(" "), about);
}
