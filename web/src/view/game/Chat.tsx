/**
 * The chat of a game: beside or below the board, or on a phone a line that opens a sheet (`ChatSheet`).
 *
 * A hidden chat reads out nothing and still counts unread lines. The server decides who can read and write in which room.
 */
import type { ComponentChildren } from "preact";
import type { Game } from "zeitnot-client";
import { chatOf, roomsOf, unreadCount } from "../../state/chat";
import { useApp, useStore, useText } from "../context";
import { Icon } from "../Icon";
import { useMedia } from "../media";
import { ChatBody } from "./ChatLog";
import { ChatPeople } from "./ChatPeople";
import { Rooms, Unread, useRoom } from "./ChatRooms";
import { ChatSheet } from "./ChatSheet";
import { openChat } from "./keys";

/** Where the chat would take the board off the screen; as in layout.css. */
const PHONE = "(orientation: portrait) and (max-width: 40rem), (orientation: landscape) and (max-height: 41.99rem)";

interface Props {
  readonly game: Game;
  readonly isPlayer: boolean;
}

interface ChatProps extends Props {
  /** What asks for an answer now, which the sheet would cover, or what stands for that nothing does. */
  asked(nothing: ComponentChildren): ComponentChildren;
}

export function Chat({ game, isPlayer, asked }: ChatProps) {
  const isPhone = useMedia(PHONE);
  const shown = useRoom(game, isPlayer);
  return isPhone ? <ChatSheet game={game} shown={shown} asked={asked} /> : <ChatBox game={game} shown={shown} />;
}

function ChatBox({ game, shown }: { readonly game: Game; readonly shown: ReturnType<typeof useRoom> }) {
  const all = useApp((app) => unreadCount(chatOf(app, game.id), shown.rooms));
  const isOpen = useApp((app) => !app.settings.hideChat);
  const account = useApp((app) => app.account);
  const store = useStore();
  const text = useText().play.chat;
  const label = isOpen ? text.hide : text.show;
  return (
    <section class={`chat ${isOpen ? "open" : "closed"}`} aria-labelledby="chat-title">
      <div class="chat-head">
        <h2 id="chat-title">{text.title}</h2>
        {(!isOpen || shown.rooms.length === 1) && <Unread count={all} />}
        <span class="gap" />
        {isOpen && <Rooms game={game} shown={shown} />}
        {isOpen && account !== null && <ChatPeople game={game} room={shown.room} />}
        <button
          type="button"
          class="plain"
          aria-expanded={isOpen}
          aria-controls="chat-body"
          aria-label={label}
          title={label}
          onClick={() => store.change({ hideChat: isOpen })}
        >
          <Icon name={isOpen ? "less" : "more"} />
        </button>
      </div>
      <ChatBody game={game} room={shown.room} isOpen={isOpen} />
    </section>
  );
}

/** A button that leads to the chat where it is not beside the board, with the number of unread lines. */
export function ChatButton({ game, isPlayer }: Props) {
  const all = useApp((app) => unreadCount(chatOf(app, game.id), roomsOf(game, isPlayer)));
  const store = useStore();
  const text = useText().play.chat;
  return (
    <button
      type="button"
      class="to-chat"
      aria-label={all > 0 ? `${text.go}, ${text.unread(all)}` : text.go}
      title={text.go}
      onClick={() => openChat(store, false)}
    >
      <Icon name="chat" />
      {all > 0 && (
        <span class="unread" aria-hidden="true">
          {all}
        </span>
      )}
    </button>
  );
}

/** A program reads nothing, nor do the players of an imported game: there is a chat only when somebody has said something. */
export function useHasChat({ id, players, origin }: Game, isPlayer: boolean): boolean {
  const isSaid = useApp((app) => {
    const chat = chatOf(app, id);
    return chat.players.lines.length + chat.spectators.lines.length > 0;
  });
  const isProgram = players.white.bot === true || players.black.bot === true;
  return isSaid || (origin === null && !(isPlayer && isProgram));
}
