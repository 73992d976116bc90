/**
 * The two chat rooms of a game: the players' and the spectators'.
 *
 * Pure. Keeps the last lines that this page has received, and how many of them are unread. The server decides who is in
 * which room.
 */
import type { AccountId, ChatRoom, Code, GameId, Said } from "#protocol";
import { type Game, type Pending, aboutGame } from "zeitnot-client";

/** Lines of a room that the page keeps. */
export const LINES_MAX = 200;
/** The server's `chat_chars`. */
export const CHAT_CHARS = 200;
/** Lines that arrive so soon after the game are old ones: shown, but not announced. */
export const KEPT_MS = 300;

export type Line = Pick<Said, "n" | "by" | "text" | "at">;

export interface Room {
  readonly lines: readonly Line[];
  readonly unread: number;
  /** Whether the last line is new: it is announced. */
  readonly isNews: boolean;
  /** The last rejected message; `n` distinguishes equal texts. */
  readonly rejected: { readonly text: string; readonly n: number } | null;
  /** The server has closed the room, some time after the end of the game. */
  readonly isClosed: boolean;
}

export type Chat = Readonly<Record<ChatRoom, Room>>;
export type Chats = Readonly<Record<GameId, Chat>>;

const EMPTY_ROOM: Room = { lines: [], unread: 0, isNews: false, rejected: null, isClosed: false };
export const EMPTY_CHAT: Chat = { players: EMPTY_ROOM, spectators: EMPTY_ROOM };

export function chatOf(app: { readonly chats: Chats }, game: GameId): Chat {
  return app.chats[game] ?? EMPTY_CHAT;
}

/** The rooms of a visitor. Players join the spectators only after the game, because advice would be unfair. */
export function roomsOf(game: Pick<Game, "phase">, isPlayer: boolean): readonly ChatRoom[] {
  if (!isPlayer) return ["spectators"];
  return game.phase === "ended" ? ["players", "spectators"] : ["players"];
}

/** The number of unread lines in some rooms. */
export function unreadCount(chat: Chat, rooms: readonly ChatRoom[]): number {
  return rooms.reduce((sum, room) => sum + chat[room].unread, 0);
}

/** The last line of some rooms that is nobody's whom one has muted. */
export function lastLine(
  chat: Chat,
  rooms: readonly ChatRoom[],
  muted: readonly AccountId[],
): { readonly room: ChatRoom; readonly line: Line } | null {
  const last = rooms.flatMap((room) => {
    const line = chat[room].lines.filter(({ by }) => !muted.includes(by.account)).at(-1);
    return line ? [{ room, line }] : [];
  });
  return last.reduce<(typeof last)[number] | null>((a, b) => (a && a.line.at > b.line.at ? a : b), null);
}

/**
 * A line was posted. After a reconnect the last ones are resent; known ones are ignored. `isRead`: it is one's own, or a
 * muted player's.
 */
export function heard(chat: Chat, said: Said, isRead: boolean, isNews: boolean): Chat {
  const { room, n, by, text, at } = said;
  const before = chat[room];
  const isKnown = before.lines.some(
    (line) => line.n === n && line.at === at && line.text === text && line.by.account === by.account,
  );
  if (isKnown) return chat;
  const lines = [...before.lines, { n, by, text, at }].slice(-LINES_MAX);
  return {
    ...chat,
    [room]: { ...before, lines, isNews, isClosed: false, unread: isRead ? before.unread : before.unread + 1 },
  };
}

/** Who has written in a room, without oneself, the one who wrote last first. */
export function writersOf({ lines }: Room, self: AccountId | null): readonly Said["by"][] {
  const known = new Map([...lines].reverse().map(({ by }) => [by.account, by]));
  return [...known.values()].filter(({ account }) => account !== self);
}

/** Marks a room as read. */
export function markRead(chat: Chat, room: ChatRoom): Chat {
  return chat[room].unread === 0 ? chat : { ...chat, [room]: { ...chat[room], unread: 0 } };
}

/** The server rejected a message; `not_your_room` means that the room is closed. */
export function withRejectedPost(chat: Chat, room: ChatRoom, text: string, code: Code): Chat {
  return {
    ...chat,
    [room]: {
      ...chat[room],
      rejected: { text, n: (chat[room].rejected?.n ?? 0) + 1 },
      isClosed: code === "not_your_room",
    },
  };
}

/** Own messages in a room that the server has not confirmed. */
export function onTheWay(
  outbox: readonly Pending[],
  game: GameId,
  room: ChatRoom,
): { readonly id: string; readonly text: string }[] {
  return aboutGame(outbox, game, true).flatMap(({ id, message }) =>
    message.t === "say" && message.d.room === room ? [{ id, text: message.d.text }] : [],
  );
}

export function withChat<A extends { readonly chats: Chats }>(app: A, game: GameId, chat: Chat): A {
  return chatOf(app, game) === chat ? app : { ...app, chats: { ...app.chats, [game]: chat } };
}
