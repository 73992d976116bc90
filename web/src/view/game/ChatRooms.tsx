/** The rooms of a chat: which one is shown, and how many lines of each are unread. */
import { useState } from "preact/hooks";
import type { ChatRoom } from "#protocol";
import type { Game } from "zeitnot-client";
import { chatOf, roomsOf } from "../../state/chat";
import { useApp, useText } from "../context";

export interface ShownRoom {
  readonly rooms: readonly ChatRoom[];
  readonly room: ChatRoom;
  choose(room: ChatRoom): void;
}

/** The first room until another one is chosen. */
export function useRoom(game: Game, isPlayer: boolean): ShownRoom {
  const rooms = roomsOf(game, isPlayer);
  const [chosen, choose] = useState<ChatRoom | null>(null);
  return { rooms, room: chosen !== null && rooms.includes(chosen) ? chosen : (rooms[0] ?? "spectators"), choose };
}

/** The number of unread lines, or nothing. */
export function Unread({ count }: { count: number }) {
  const text = useText().play.chat;
  if (count === 0) return null;
  return (
    <span class="unread">
      <span aria-hidden="true">{count}</span>
      <span class="visually-hidden">{text.unread(count)}</span>
    </span>
  );
}

/** Nothing where there is only one. */
export function Rooms({ game, shown: { rooms, room, choose } }: { readonly game: Game; readonly shown: ShownRoom }) {
  const text = useText().play.chat;
  const chat = useApp((app) => chatOf(app, game.id));
  if (rooms.length < 2) return null;
  return (
    <div class="rooms" role="group" aria-label={text.room}>
      {rooms.map((one) => (
        <button type="button" key={one} aria-pressed={one === room} onClick={() => choose(one)}>
          {text.rooms[one]}
          <Unread count={chat[one].unread} />
        </button>
      ))}
    </div>
  );
}
