/**
 * What is read and written in a room of the chat: its lines, unconfirmed lines, and the input.
 *
 * The log is a live region: new lines are read out, earlier ones are not. What is on the screen has been read.
 */
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ChatRoom } from "#protocol";
import type { Game } from "zeitnot-client";
import { chatOf, onTheWay } from "../../state/chat";
import { showLine } from "../../text/phrases";
import { useApp, useStore, useText } from "../context";
import { ChatInput } from "./ChatInput";
import { useOnScreen } from "../onScreen";

/** Within this distance the log counts as scrolled to its end. */
const NEAR_END_PX = 30;

interface Props {
  readonly game: Game;
  readonly room: ChatRoom;
}

export function ChatBody({ game, room, isOpen }: Props & { readonly isOpen: boolean }) {
  const store = useStore();
  const { unread, isClosed, rejected } = useApp((app) => chatOf(app, game.id)[room]);
  const text = useText().play.chat;
  const body = useRef<HTMLDivElement>(null);
  const isSeen = useOnScreen(body, isOpen);
  useEffect(() => {
    if (isOpen && isSeen && unread > 0) store.markRead(game.id, room);
  }, [isOpen, isSeen, unread, room]);
  return (
    <div id="chat-body" ref={body} hidden={!isOpen}>
      {isOpen && (
        <>
          <Log game={game} room={room} />
          {isClosed ? (
            <p class="quiet">{text.closed}</p>
          ) : (
            <ChatInput key={room} game={game.id} room={room} rejected={rejected} />
          )}
        </>
      )}
    </div>
  );
}

function Log({ game, room }: Props) {
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
