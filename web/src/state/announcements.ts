/**
 * The announcement of a message: a sentence for the live region, and a sound.
 *
 * Pure. Announces only the game on the screen, and nothing that a snapshot repeats. Presence is announced by the
 * reducer, after it has lasted.
 */
import type { ServerMessage } from "#protocol";
import { type Game, turnOf } from "zeitnot-client";
import { type Color, other } from "../chess/square";
import type { Catalogue } from "../text";
import { showDrawDeclined, showReason, showRematchDeclined, showResult, speakSan } from "../text/words";
import type { App } from "./app";
import { chatOf } from "./chat";
import { whyNoDraw } from "./drawOffers";
import { isRepeated } from "./positions";

export type Sound = "move" | "capture" | "check" | "offer" | "begin" | "end" | "low" | "chat";

export interface Announcement {
  readonly say: string | null;
  readonly sound: Sound | null;
}

const SILENT: Announcement = { say: null, sound: null };

/** The announcement of a message that turned `before` into `after`. */
export function announceGame(
  text: Catalogue,
  message: ServerMessage,
  before: Game | undefined,
  after: Game,
  seat: Color | null,
): Announcement {
  const { announcements, sides } = text;
  const nameOf = (side: Color): string => after.players[side].name;
  if (message.t === "snapshot")
    return before === undefined ? began(text, after, seat) : missed(text, before, after, seat);
  if (before !== undefined && before.seq === after.seq) return SILENT;
  switch (message.t) {
    case "move":
      return andRepeated(
        andDeclined(moved(text, message.d.san, before ? turnOf(before.fen) : "white"), text, after, seat),
        text,
        after,
        seat,
      );
    case "draw_offered":
    case "ilc_asked":
      return { say: announcements.drawOffered(nameOf(message.d.by)), sound: "offer" };
    case "draw_declined":
      return { say: declined(text, message.d.by, after, seat), sound: null };
    case "takeback_offered":
      return { say: announcements.takebackOffered(nameOf(message.d.by)), sound: "offer" };
    case "takeback_declined":
      return { say: announcements.takebackDeclined(nameOf(message.d.by)), sound: null };
    case "taken_back":
      return { say: announcements.takenBack, sound: "move" };
    case "draw_claimed":
      return { say: announcements.claimed(sides[message.d.by], message.d.right), sound: "offer" };
    case "time_adjusted":
      if (message.d.cause.kind === "gift")
        return { say: announcements.giveTime(sides[message.d.cause.by]), sound: null };
      return {
        say: message.d.cause.kind === "arbiter" ? announcements.arbiter : announcements.penalty,
        sound: "offer",
      };
    case "ilc_remedied":
      return { say: announcements.remedied, sound: "offer" };
    case "flag_fell":
      return { say: announcements.flag(sides[message.d.by]), sound: null };
    case "resigned":
      return { say: announcements.resigned(sides[message.d.by]), sound: null };
    case "ended":
      return ended(text, after, seat);
    default:
      return SILENT;
  }
}

/**
 * The announcement of anything else about the game on the screen: chat, or a rematch. The chat reads out its lines
 * itself.
 */
export function announceOther(text: Catalogue, message: ServerMessage, before: App, after: App): Announcement {
  const shown = after.route.at === "game" ? after.route.id : null;
  if (shown === null) return SILENT;
  if (message.t === "said") {
    const { game, room, by } = message.d;
    const isHeard = game === shown && !after.settings.hideChat && by.account !== after.account;
    const heard = chatOf(after, game)[room];
    return isHeard && heard.isNews && heard !== chatOf(before, game)[room] ? { say: null, sound: "chat" } : SILENT;
  }
  const now = after.rematches[shown];
  const then = before.rematches[shown];
  if (message.t === "challenge" && now?.challenge === message.d.challenge && then?.challenge !== now.challenge) {
    const { theirs, offered } = text.play.rematch;
    return now.by === "them" ? { say: theirs(message.d.by.name), sound: "offer" } : { say: offered, sound: null };
  }
  if (message.t === "challenge_gone" && then !== now) {
    // To whoever has declined it the reason is their own.
    const isDeclined = now?.state === "declined";
    return {
      say: isDeclined ? showRematchDeclined(text, now.by === "me" ? now.reason : null) : text.play.rematch.over,
      sound: null,
    };
  }
  return SILENT;
}

/** Whose offer it was also hears when the next one is possible. */
function declined(text: Catalogue, by: Color, game: Game, seat: Color | null): string {
  return showDrawDeclined(text, game.players[by].name, seat === other(by) ? whyNoDraw(game, seat) : null);
}

/** A move that declined the draw which one had offered says so. */
function andDeclined(move: Announcement, text: Catalogue, game: Game, seat: Color | null): Announcement {
  const by = game.drawDeclined;
  if (by === null || seat !== other(by)) return move;
  return { ...move, say: [move.say, declined(text, by, game, seat)].join(". ") };
}

/** So does one that brings a position back, to players. */
function andRepeated(move: Announcement, text: Catalogue, game: Game, seat: Color | null): Announcement {
  if (seat === null || !isRepeated(game)) return move;
  return { ...move, say: [move.say, text.game.repeated].join(". ") };
}

function moved(text: Catalogue, san: string, mover: Color): Announcement {
  const sound: Sound = /[+#]$/u.test(san) ? "check" : san.includes("x") ? "capture" : "move";
  return { say: text.announcements.move(text.sides[mover], speakSan(text, san)), sound };
}

function ended(text: Catalogue, game: Game, seat: Color | null): Announcement {
  if (!game.outcome) return SILENT;
  return {
    say: text.announcements.over(showResult(text, game.outcome, seat), showReason(text, game.outcome, seat)),
    sound: "end",
  };
}

function began(text: Catalogue, game: Game, seat: Color | null): Announcement {
  if (game.plyCount > 0 || game.phase !== "playing") return SILENT;
  return { say: text.announcements.began(seat ? text.sides[seat] : null), sound: "begin" };
}

/** After an absence: the last move that was missed, or how it ended. */
function missed(text: Catalogue, before: Game, after: Game, seat: Color | null): Announcement {
  if (after.phase === "ended" && before.phase !== "ended") return ended(text, after, seat);
  const last = after.plies[after.plies.length - 1];
  return last && after.seq > before.seq && after.plyCount > before.plyCount
    ? moved(text, last.san, turnOf(after.fen) === "white" ? "black" : "white")
    : SILENT;
}
