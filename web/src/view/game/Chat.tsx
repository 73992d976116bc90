/**
 * The chat of a game: the lines of a room, unconfirmed lines, and the input.
 *
 * The log is a live region: new lines are read out, earlier ones are not. A hidden chat reads out nothing and still
 * counts unread lines. The server decides who can read and write in which room.
 */
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ChatRoom } from "#protocol";
import type { Game } from "zeitnot-client";
import { type Chat as GameChat, chatOf, onTheWay, roomsOf, unreadCount } from "../../state/chat";
import { useApp, useStore, useText } from "../context";
import { Icon } from "../Icon";
import { showLine } from "../../text/phrases";
import { ChatInput } from "./ChatInput";
import { ChatPeople } from "./ChatPeople";
import { openChat } from "./keys";
import { useOnScreen } from "./onScreen";

/** Within this distance the log counts as scrolled to its end. */
const NEAR_END_PX = 30;

interface Props {
  readonly game: Game;
  readonly isPlayer: boolean;
}

export function Chat({ game, isPlayer }: Props) {
  const chat = useApp((app) => chatOf(app, game.id));
  const isOpen = useApp((app) => !app.settings.hideChat);
  const account = useApp((app) => app.account);
  const store = useStore();
  const text = useText().play.chat;
  const rooms = roomsOf(game, isPlayer);
  const [chosen, choose] = useState<ChatRoom | null>(null);
  const room = chosen !== null && rooms.includes(chosen) ? chosen : (rooms[0] ?? "spectators");
  const { unread } = chat[room];
  const body = useRef<HTMLDivElement>(null);
  const isSeen = useOnScreen(body, isOpen);
  useEffect(() => {
    if (isOpen && isSeen && unread > 0) store.markRead(game.id, room);
  }, [isOpen, isSeen, unread, room]);
  const all = unreadCount(chat, rooms);
  if (isUseless(game, isPlayer, chat)) return null;
  const label = isOpen ? text.hide : text.show;
  return (
    <section class={`chat ${isOpen ? "open" : "closed"}`} aria-labelledby="chat-title">
      <div class="chat-head">
        <h2 id="chat-title">{text.title}</h2>
        {(!isOpen || rooms.length === 1) && <Unread count={all} />}
        <span class="gap" />
        {isOpen && rooms.length > 1 && (
          <Rooms rooms={rooms} room={room} unread={(one) => chat[one].unread} choose={choose} />
        )}
        {isOpen && account !== null && <ChatPeople game={game} room={room} />}
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
      <div id="chat-body" ref={body} hidden={!isOpen}>
        {isOpen && (
          <>
            <Log game={game} room={room} />
            {chat[room].isClosed ? (
              <p class="quiet">{text.closed}</p>
            ) : (
              <ChatInput key={room} game={game.id} room={room} rejected={chat[room].rejected} />
            )}
          </>
        )}
      </div>
    </section>
  );
}

/** A button that leads to the chat where it is not beside the board, with the number of unread lines. */
export function ChatButton({ game, isPlayer }: Props) {
  const chat = useApp((app) => chatOf(app, game.id));
  const store = useStore();
  const text = useText().play.chat;
  const all = unreadCount(chat, roomsOf(game, isPlayer));
  if (isUseless(game, isPlayer, chat)) return null;
  return (
    <button
      type="button"
      class="to-chat"
      aria-label={all > 0 ? `${text.go}, ${text.unread(all)}` : text.go}
      title={text.go}
      onClick={() => openChat(store)}
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

interface RoomsProps {
  readonly rooms: readonly ChatRoom[];
  readonly room: ChatRoom;
  unread(room: ChatRoom): number;
  choose(room: ChatRoom): void;
}

function Rooms({ rooms, room, unread, choose }: RoomsProps) {
  const text = useText().play.chat;
  return (
    <div class="rooms" role="group" aria-label={text.room}>
      {rooms.map((one) => (
        <button type="button" key={one} aria-pressed={one === room} onClick={() => choose(one)}>
          {text.rooms[one]}
          <Unread count={unread(one)} />
        </button>
      ))}
    </div>
  );
}

function Log({ game, room }: { game: Game; room: ChatRoom }) {
  const { lines: all, isNews } = useApp((app) => chatOf(app, game.id)[room]);
  const { language, muted } = useApp((app) => app.settings);
  const outbox = useApp((app) => app.link.outbox);
  const own = useApp((app) => app.account);
  const { people, play } = useText();
  const text = play.chat;
  const lines = all.filter((line) => !muted.includes(line.by.account));
  const hidden = all.length - lines.length;
  const waiting = onTheWay(outbox, game.id, room);
  const log = useRef<HTMLDivElement>(null);
  const follow = useFollow(log, all);
  const { white, black } = game.players;
  const side = (account: string): string =>
    account === white.account ? "white" : account === black.account ? "black" : "none";
  const hint = room === "players" ? text.onlyPlayers : text.onlySpectators;
  return (
    <>
      {lines.length === 0 && <p class="quiet hint">{game.phase === "ended" ? text.empty : hint}</p>}
      <div
        class="lines"
        ref={log}
        onScroll={follow}
        tabIndex={0}
        role="log"
        aria-label={text.log(room)}
        aria-live={isNews ? "polite" : "off"}
      >
        {lines.map((line) => (
          <p key={`${line.n} ${line.at}`} class={line.by.account === own ? "own" : undefined}>
            <span class={`disc ${side(line.by.account)}`} aria-hidden="true" />
            <b>{line.by.name}</b>
            <span class="visually-hidden">:</span> <span>{showLine(language, line.text)}</span>
          </p>
        ))}
      </div>
      {hidden > 0 && <p class="quiet">{people.hidden(hidden)}</p>}
      {waiting.map((line) => (
        <p key={line.id} class="quiet">
          {line.text} ({text.onItsWay})
        </p>
      ))}
    </>
  );
}

/** Keeps the last line in view unless the reader has scrolled back. Returns the scroll handler. */
function useFollow(log: RefObject<HTMLDivElement | null>, lines: unknown): () => void {
  const isAtEnd = useRef(true);
  const end = (): void => void (isAtEnd.current && log.current?.scrollTo(0, log.current.scrollHeight));
  useEffect(end, [lines]);
  useEffect(() => {
    if (!log.current) return;
    const observer = new ResizeObserver(end);
    observer.observe(log.current);
    return () => observer.disconnect();
  }, []);
  return () => {
    const box = log.current;
    if (box) isAtEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END_PX;
  };
}

/** A program reads nothing: against one there is a chat only when somebody has said something. */
function isUseless({ players }: Game, isPlayer: boolean, chat: GameChat): boolean {
  const isProgram = players.white.bot === true || players.black.bot === true;
  return isPlayer && isProgram && chat.players.lines.length + chat.spectators.lines.length === 0;
}
