/**
 * Unanswered commands and how often each was sent. Resending is always safe, so they are sent again after a reconnect.
 *
 * Pure. `join_pool` is the exception, because a second one could lead to a second game.
 */
import type { ClientMessage, ServerMessage } from "../../../protocol/bindings/protocol.js";

export type Command = Exclude<ClientMessage, { t: "hello" | "ping" | "unwatch" | "watch" | "history" }>;

export interface Pending {
  readonly id: string;
  readonly message: Command;
  readonly tries: number;
}

export type Outbox = readonly Pending[];

export function put(outbox: Outbox, message: Command, id: string): { outbox: Outbox; pending: Pending } {
  const pending: Pending = { id, message: { t: message.t, d: { ...message.d, id } } as Command, tries: 0 };
  return { outbox: [...outbox, pending], pending };
}

export function sent(outbox: Outbox, id: string): Outbox {
  return outbox.map((pending) => (pending.id === id ? { ...pending, tries: pending.tries + 1 } : pending));
}

/** The command that a message answers, if it answers one. */
export function answeredBy(outbox: Outbox, message: ServerMessage): Pending | null {
  if (message.t !== "ok" && message.t !== "rejected" && message.t !== "challenge") return null;
  const { id } = message.d;
  return id ? (outbox.find((pending) => pending.id === id) ?? null) : null;
}

export function without(outbox: Outbox, id: string): Outbox {
  return outbox.filter((pending) => pending.id !== id);
}

/** The unanswered commands about a game, newest last; chat only if requested. */
export function aboutGame(outbox: Outbox, game: string, withTalk = false): Outbox {
  return outbox.filter(
    ({ message }) => "game" in message.d && message.d.game === game && (withTalk || message.t !== "say"),
  );
}

/** Whether a command about a game is pointless after the game's end. */
export function endsWith(pending: Pending, game: string): boolean {
  const { message } = pending;
  return "game" in message.d && message.d.game === game && message.t !== "say" && message.t !== "offer_rematch";
}
