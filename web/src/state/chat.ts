/**
 * What was said in the two rooms of a game: the players' and the spectators'.
 *
 * Pure. The server says who is in which room and refuses the rest; here is only what this page has heard, the last lines
 * of it, and how many of them are unread.
 */
import type { ChatRoom, Code, GameId, Said } from "#protocol";
import type { Game } from "./game";
import type { Pending } from "./outbox";
import { aboutGame } from "./outbox";

/** Lines of a room that the page keeps. */
export const LINES_MAX = 200;
/** The server's `chat_chars`. */
export const CHAT_CHARS = 200;
/** What comes so soon after the game itself was said before; it is shown, and makes no noise. */
export const KEPT_MS = 300;

export type Line = Pick<Said, "n" | "by" | "text" | "at">;

export interface Room {
  readonly lines: readonly Line[];
  readonly unread: number;
  /** The last one came as news: it is worth reading out. */
  readonly isNews: boolean;
  /** What the server would not pass on; `n` makes the same words news again. */
  readonly rejected: { readonly text: string; readonly n: number } | null;
  /** The server has closed it: some time after the game's end nobody talks any more. */
  readonly isClosed: boolean;
}

export type Chat = Readonly<Record<ChatRoom, Room>>;
export type Chats = Readonly<Record<GameId, Chat>>;

const EMPTY_ROOM: Room = { lines: [], unread: 0, isNews: false, rejected: null, isClosed: false };
export const EMPTY_CHAT: Chat = { players: EMPTY_ROOM, spectators: EMPTY_ROOM };

export function chatOf(app: { readonly chats: Chats }, game: GameId): Chat {
  return app.chats[game] ?? EMPTY_CHAT;
}

/** The rooms that one is in. Players may join the spectators when the game is over; before, that would be help. */
export function roomsOf(game: Pick<Game, "phase">, isPlayer: boolean): readonly ChatRoom[] {
  if (!isPlayer) return ["spectators"];
  return game.phase === "ended" ? ["players", "spectators"] : ["players"];
}

/** The number of unread lines in some rooms. */
export function unreadIn(chat: Chat, rooms: readonly ChatRoom[]): number {
  return rooms.reduce((sum, room) => sum + chat[room].unread, 0);
}

/** A line was said. After a reconnect the last ones come again: what is known already is left out. */
export function heard(chat: Chat, said: Said, isOwn: boolean, isNews: boolean): Chat {
  const { room, n, by, text, at } = said;
  const before = chat[room];
  const isKnown = before.lines.some(
    (line) => line.n === n && line.at === at && line.text === text && line.by.account === by.account,
  );
  if (isKnown) return chat;
  const lines = [...before.lines, { n, by, text, at }].slice(-LINES_MAX);
  return {
    ...chat,
    [room]: { ...before, lines, isNews, isClosed: false, unread: isOwn ? before.unread : before.unread + 1 },
  };
}

/** Marks a room as read. */
export function markRead(chat: Chat, room: ChatRoom): Chat {
  return chat[room].unread === 0 ? chat : { ...chat, [room]: { ...chat[room], unread: 0 } };
}

/** The server would not pass it on; a room that one is in and may not talk in is closed. */
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

/** What one has said in a room and the server has not confirmed. */
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
