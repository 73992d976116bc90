/**
 * The state of the page as one value, and how messages change it.
 *
 * Pure. What else follows from a message is decided in `reducer`.
 */
import type { AccountId, Challenge, ChallengeId, Code, EpochId, GameId, Rejected, ServerMessage } from "#protocol";
import {
  type Arrival,
  type Command,
  type Game,
  type LinkState,
  type Pending,
  applyMessage,
  fromSnapshot,
} from "zeitnot-client";
import type { Color } from "../chess/square";
import { type Catalogue, ENGLISH } from "../text";
import type { Beginning } from "./anotherGame";
import { type Chat, KEPT_MS, chatOf, heard, withRejectedPost, withChat } from "./chat";
import { type LobbyBoard, lobbyOf, withNews } from "./lobby";
import { type EndedChallenges, type KeptChallenges, endCodeOf, withEnd, withoutKept } from "./invitations";
import { type Rematches, rematchBegun, rematchGone, rematchOffered, rematchesUnsure } from "./rematch";
import { withScores } from "./series";
import { NOBODY, type People, withOwnName } from "./people";
import type { Route } from "./route";
import type { Settings } from "./settings";
import { NO_PAIRING, type Pairing } from "./pairing";
import { NO_INPUT, type BoardInput, clearInput, settled } from "./boardInput";

export type { Route };

/** A notice that is shown for a moment. */
export interface Notice {
  readonly kind: "info" | "error";
  readonly text: string;
  /** The game that it is about, if any: it goes when that changes. */
  readonly about: GameId | null;
  readonly n: number;
}

export interface App {
  readonly route: Route;
  readonly link: LinkState;
  readonly account: AccountId | null;
  readonly epoch: EpochId | null;
  readonly games: Readonly<Record<GameId, Game>>;
  readonly inputs: Readonly<Record<GameId, BoardInput>>;
  readonly challenges: Readonly<Record<ChallengeId, Challenge>>;
  /** When challenges end, in wall-clock ms. */
  readonly endsAt: Readonly<Record<ChallengeId, number>>;
  /** Ids without a game; and invitations that have ended. */
  readonly noGame: Readonly<Record<string, true>>;
  readonly gone: EndedChallenges;
  /** Own challenges whose end was not told yet, this visit's and earlier ones'. */
  readonly kept: KeptChallenges;
  /** Own games that ended while another page was shown, and whose end was not seen yet. */
  readonly endedAway: Readonly<Record<GameId, true>>;
  /** The terms of challenges that only a link names; "unread" if they could not be fetched. */
  readonly invitations: Readonly<Record<ChallengeId, Challenge | "unread">>;
  /** The last state of the lobby; null before the first one. */
  readonly lobby: LobbyBoard | null;
  readonly pairing: Pairing;
  /** What was begun beside a game whose clocks run, until the player has answered whether to. */
  readonly another: Beginning | null;
  readonly people: People;
  /** The move that was last confirmed by the server, for the connection line. */
  readonly confirmed: { readonly game: GameId; readonly seq: number; readonly again: boolean } | null;
  readonly chats: Readonly<Record<GameId, Chat>>;
  /** Chat lines that arrive before this instant are old ones. */
  readonly keptUntil: number;
  /** The opponent who has left, and whether that was announced. */
  readonly absent: { readonly side: Color; readonly isAnnounced: boolean } | null;
  /** Challenges that were put away in the header; the home page lists them. */
  readonly putAway: Readonly<Record<ChallengeId, true>>;
  /** Challenges that were received before: only a new one is announced. */
  readonly seenChallenges: Readonly<Record<ChallengeId, true>>;
  readonly rematches: Rematches;
  /** In which turn of which game this visit was told that one premove is kept, and which one was given up for it; null before that. */
  readonly onePremoveTold: { readonly game: GameId; readonly on: number; readonly first: string | undefined } | null;
  readonly settings: Settings;
  /** The texts in the language of the settings. */
  readonly text: Catalogue;
  readonly notice: Notice | null;
  /** The text of the live region; `n` makes an equal text new. */
  readonly announcement: { readonly text: string; readonly n: number };
}

export function firstApp(settings: Settings, route: Route, text: Catalogue = ENGLISH): App {
  return {
    route,
    settings,
    text,
    account: null,
    epoch: null,
    games: {},
    inputs: {},
    challenges: {},
    noGame: {},
    gone: {},
    endsAt: {},
    endedAway: {},
    kept: {},
    confirmed: null,
    notice: null,
    chats: {},
    keptUntil: 0,
    rematches: {},
    onePremoveTold: null,
    absent: null,
    putAway: {},
    seenChallenges: {},
    invitations: {},
    lobby: null,
    pairing: NO_PAIRING,
    another: null,
    people: NOBODY,
    link: { phase: "idle", again: false, outbox: [], roundTrip: null, rejection: null },
    announcement: { text: "", n: 0 },
  };
}

/** Another account, or none, begins with what is everybody's: the page, the lobby, the settings. */
export function forgetAccount({ settings, route, text, link, epoch, lobby, notice, announcement }: App): App {
  return { ...firstApp(settings, route, text), link, epoch, lobby, notice, announcement };
}

/** The end of a game was seen, or put away. */
export function withEndSeen(app: App, id: GameId): App {
  if (!app.endedAway[id]) return app;
  const { [id]: _, ...endedAway } = app.endedAway;
  return { ...app, endedAway };
}

/** Whether there was a connection and is none now: what the page shows of others may be old. */
export function isCutOff({ link }: App): boolean {
  return link.again && link.phase !== "open" && link.phase !== "slow";
}

/** The game whose page is open, if it is known. */
export function shownGame({ route, games }: Pick<App, "route" | "games">): Game | undefined {
  return route.at === "game" ? games[route.id] : undefined;
}

export function inputOf(app: App, id: GameId): BoardInput {
  return app.inputs[id] ?? NO_INPUT;
}

export function withInput(app: App, id: GameId, input: BoardInput): App {
  return inputOf(app, id) === input ? app : { ...app, inputs: { ...app.inputs, [id]: input } };
}

export function withNotice(app: App, kind: Notice["kind"], text: string, about: GameId | null = null): App {
  return { ...app, notice: { kind, text, about, n: (app.notice?.n ?? 0) + 1 } };
}

/** What was said of a game is stale when it ends, or an offer comes or goes. */
export function withoutStaleNotice(app: App, before: Game | undefined, after: Game): App {
  const isSame =
    before?.phase === after.phase &&
    before.drawOffer === after.drawOffer &&
    before.takebackOffer === after.takebackOffer;
  return isSame || app.notice?.about !== after.id ? app : { ...app, notice: null };
}

export function withAnnouncement(app: App, text: string): App {
  return { ...app, announcement: { text, n: app.announcement.n + 1 } };
}

/** Whether it was told in this turn: it stands there until the next one. */
export function isOnePremoveTold({ onePremoveTold: told }: App, game: Game): boolean {
  return told?.game === game.id && told.on === game.on;
}

/** The state after a message. `answers` is the command that it answers. */
export function receive(app: App, message: ServerMessage, arrival: Arrival, answers: Pending | null): App {
  switch (message.t) {
    case "welcome": {
      const { account, epoch, name } = message.d;
      const restored = app.epoch !== null && app.epoch !== epoch;
      const known = {
        ...app,
        account,
        epoch,
        challenges: {},
        people: withOwnName(app.people, name ?? null),
        keptUntil: arrival.at + KEPT_MS,
        rematches: rematchesUnsure(app.rematches),
      };
      // Restored data: nothing that is remembered may be true.
      return restored
        ? { ...known, games: {}, inputs: {}, noGame: {}, invitations: {}, chats: {}, rematches: {} }
        : known;
    }
    case "snapshot": {
      const { game: id } = message.d;
      const before = app.games[id];
      const { [id]: _, ...noGame } = app.noGame;
      const keptUntil = before ? app.keptUntil : Math.max(app.keptUntil, arrival.at + KEPT_MS);
      const games = { ...app.games, [id]: fromSnapshot(message.d, arrival, before) };
      return settle(
        {
          ...app,
          noGame,
          kept: withoutKept(app.kept, id),
          keptUntil,
          rematches: withScores(rematchBegun(app.rematches, id), games, app.account),
          games,
        },
        id,
      );
    }
    case "challenge": {
      const { challenge } = message.d;
      const rematches = rematchOffered(app.rematches, message.d, app.account);
      return { ...app, rematches, challenges: { ...app.challenges, [challenge]: message.d } };
    }
    case "challenge_gone": {
      const { challenge, game, declined } = message.d;
      const { [challenge]: known, ...challenges } = app.challenges;
      const { [challenge]: read, ...invitations } = app.invitations;
      const rematches = rematchGone(app.rematches, message.d);
      const next = { ...app, challenges, invitations, rematches };
      if (game) return { ...next, kept: withoutKept(app.kept, challenge) };
      const terms = known ?? (read === "unread" ? null : read) ?? null;
      const why = declined === undefined ? {} : { code: "challenge_declined" as const, reason: declined };
      return { ...next, gone: withEnd(app.gone, challenge, { terms, ...why }) };
    }
    case "ok":
      if (answers?.message.t === "cancel_challenge") return withdrawn(app, answers.message.d.challenge);
      return confirm(app, message.d.seq, answers);
    case "rejected":
      return rejected(app, message.d, answers);
    case "name":
      return { ...app, people: withOwnName(app.people, message.d.name) };
    case "lobby":
      return { ...app, lobby: lobbyOf(message.d, arrival.at - arrival.travelled, app.lobby) };
    case "lobby_news":
      return app.lobby ? { ...app, lobby: withNews(app.lobby, message.d, arrival.at - arrival.travelled) } : app;
    case "waiting":
    case "pong":
      return app;
    case "said": {
      const { game, by } = message.d;
      const isSilent = app.settings.muted.includes(by.account);
      const isNews = arrival.at >= app.keptUntil && !isSilent;
      return withChat(app, game, heard(chatOf(app, game), message.d, isSilent || by.account === app.account, isNews));
    }
    default: {
      const { game: id } = message.d;
      const before = app.games[id];
      if (!before) return app;
      return settle({ ...app, games: { ...app.games, [id]: applyMessage(before, message, arrival) } }, id);
    }
  }
}

/** A move that is on the board is no longer pending, and after the end all input is cleared. */
function settle(app: App, id: GameId): App {
  const game = app.games[id];
  const input = app.inputs[id];
  if (!game || !input) return app;
  if (game.phase !== "playing") return withInput(app, id, clearInput(input));
  return withInput(app, id, settled(input, game.on));
}

/** An own challenge was withdrawn on this page: there is nothing to tell. */
function withdrawn(app: App, id: ChallengeId): App {
  const gone = withEnd(app.gone, id, { code: "challenge_cancelled", terms: app.challenges[id] ?? null });
  return { ...app, gone, kept: withoutKept(app.kept, id) };
}

function confirm(app: App, seq: number | undefined, answers: Pending | null): App {
  if (answers?.message.t !== "move" || seq === undefined) return app;
  return { ...app, confirmed: { game: answers.message.d.game, seq, again: answers.tries > 1 } };
}

/** A challenge was rejected because nobody has the name that it is for. */
export function isToNobody(
  message: Command,
  code: Code,
): message is Extract<Command, { t: "create_challenge" }> & { readonly d: { readonly to_name: string } } {
  return message.t === "create_challenge" && message.d.to_name !== undefined && code === "unknown_account";
}

/** A rejected move is taken back, a rejected message goes back into its input. */
function rejected(app: App, { code, game, id, message: why }: Rejected, answers: Pending | null): App {
  if (code === "unknown_game" && id !== null && game !== undefined && !answers)
    return { ...app, noGame: { ...app.noGame, [game]: true } };
  if (!answers) return app;
  const { message } = answers;
  if (message.t === "move") {
    const input = inputOf(app, message.d.game);
    return withInput(app, message.d.game, { ...input, sent: null });
  }
  if (message.t === "say")
    return withChat(
      app,
      message.d.game,
      withRejectedPost(chatOf(app, message.d.game), message.d.room, message.d.text, code),
    );
  if (message.t === "set_name") return { ...app, people: { ...app.people, rejected: { code, message: why } } };
  if (isToNobody(message, code)) return { ...app, people: { ...app.people, unknown: message.d.to_name } };
  if (message.t === "accept_challenge" && (code === "unknown_challenge" || endCodeOf(code) !== null)) {
    const { challenge } = message.d;
    const read = app.invitations[challenge];
    const terms = app.challenges[challenge] ?? (read === "unread" ? null : read) ?? null;
    return { ...app, gone: withEnd(app.gone, challenge, { code: endCodeOf(code), terms }) };
  }
  return app;
}
