/**
 * The chat on a phone: a line below the game with the last message, which opens a sheet over the lower part of the screen.
 *
 * The sheet is no modal dialog: board and clocks are in sight above it, and one can play on. The page does not scroll
 * meanwhile: the sheet would cover a clock. It covers the place of what asks for an answer, such as an offer, which stands in
 * the sheet meanwhile. At the end of the game it shuts, unless one is typing: it would cover the result. The sheet takes the
 * focus, and gives it back. While it is shut the line reads new messages out, unless the chat is hidden.
 */
import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Game } from "zeitnot-client";
import { chatOf, lastLine, unreadCount } from "../../state/chat";
import { showLine } from "../../text/phrases";
import { useApp, useText } from "../context";
import { Icon } from "../Icon";
import { ChatBody } from "./ChatLog";
import { ChatPeople } from "./ChatPeople";
import { Rooms, type ShownRoom, Unread } from "./ChatRooms";
import { CHAT_LINE } from "./keys";

interface Props {
  readonly game: Game;
  readonly shown: ShownRoom;
}

interface SheetProps extends Props {
  /** What asks for an answer now, or what stands for that nothing does. */
  asked(nothing: ComponentChildren): ComponentChildren;
}

export function ChatSheet({ game, shown, asked }: SheetProps) {
  const unread = useApp((app) => unreadCount(chatOf(app, game.id), shown.rooms));
  const text = useText().play.chat;
  const [isOpen, open] = useState(false);
  const wasPlayed = useRef(false);
  useLayoutEffect(() => {
    if (game.phase === "ended" && wasPlayed.current && !isTyping()) open(false);
    wasPlayed.current = game.phase !== "ended";
  }, [game.phase]);
  return (
    <>
      <section class="chat as-line" aria-label={text.title}>
        <button
          id={CHAT_LINE}
          type="button"
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => open(!isOpen)}
        >
          <Icon name="chat" />
          <strong>{text.title}</strong>
          <LastLine game={game} shown={shown} isRead={!isOpen} />
          <Unread count={unread} />
        </button>
      </section>
      {isOpen && <Sheet game={game} shown={shown} asked={asked} close={() => open(false)} />}
    </>
  );
}

/** Whether the sheet has words that were not sent yet. */
function isTyping(): boolean {
  const input = document.querySelector<HTMLInputElement>(".chat-sheet .say input");
  return input !== null && input.value !== "";
}

/** `isRead`: it is read out when it changes. */
function LastLine({ game, shown, isRead }: Props & { readonly isRead: boolean }) {
  const { language, muted, hideChat } = useApp((app) => app.settings);
  const chat = useApp((app) => chatOf(app, game.id));
  const text = useText().play.chat;
  const last = hideChat ? null : lastLine(chat, shown.rooms, muted);
  const said = last && `${last.line.by.name}: ${showLine(language, last.line.text)}`;
  return (
    <>
      <span class="last" aria-hidden="true">
        {said ?? (hideChat ? "" : text.empty)}
      </span>
      <span
        class="visually-hidden"
        aria-live={isRead && last !== null && chat[last.room].isNews ? "polite" : "off"}
        aria-atomic="true"
      >
        {said}
      </span>
    </>
  );
}

function Sheet({ game, shown, asked, close }: SheetProps & { close(): void }) {
  const { chat: text } = useText().play;
  const { close: closeWord } = useText().lobby;
  const account = useApp((app) => app.account);
  const sheet = useRef<HTMLDialogElement>(null);
  const [asks, setAsks] = useState(true);
  useMark(asks);
  useFocus(sheet);
  useBoardInSight(sheet);
  useKeyboard(sheet);
  return (
    <dialog
      ref={sheet}
      class="chat-sheet"
      aria-labelledby="chat-title"
      tabIndex={-1}
      onKeyDown={(event) => {
        const isInner = event.target instanceof Element && event.target.closest("dialog") !== sheet.current;
        if (event.key === "Escape" && !isInner) close();
      }}
    >
      <div class="chat-head">
        <h2 id="chat-title">{text.title}</h2>
        <span class="gap" />
        <Rooms game={game} shown={shown} />
        {account !== null && <ChatPeople game={game} room={shown.room} />}
        <button type="button" class="plain" aria-label={closeWord} title={closeWord} onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      {asked(<Nothing told={(is) => setAsks(!is)} />)}
      <ChatBody game={game} room={shown.room} isOpen />
    </dialog>
  );
}

/** Tells the style of the game that the sheet is open, and whether it has what asks: a `:has()` there costs each change of the game. */
function useMark(asks: boolean): void {
  useLayoutEffect(() => {
    document.documentElement.dataset.chat = asks ? "asking" : "open";
    return () => void delete document.documentElement.dataset.chat;
  }, [asks]);
}

/** Stands where nothing asks for an answer, and tells that. */
function Nothing({ told }: { told(is: boolean): void }): null {
  useLayoutEffect(() => {
    told(true);
    return () => told(false);
  }, []);
  return null;
}

/** The sheet has the focus while it is open, but not its input: a keyboard would cover half of the board unasked. */
function useFocus(sheet: RefObject<HTMLDialogElement | null>): void {
  useLayoutEffect(() => {
    const before = document.activeElement;
    sheet.current?.show();
    sheet.current?.focus({ preventScroll: true });
    return () => {
      // Whoever has gone on elsewhere meanwhile stays there.
      const { activeElement: now } = document;
      if (now !== document.body && !sheet.current?.contains(now)) return;
      const back = before instanceof HTMLElement && before !== document.body ? before : null;
      (back ?? document.getElementById(CHAT_LINE))?.focus({ preventScroll: true });
    };
  }, []);
}

/** Scrolls so that board and clocks are above the sheet or beside it; after it the page is where it was. */
function useBoardInSight(sheet: RefObject<HTMLDialogElement | null>): void {
  useLayoutEffect(() => {
    const before = scrollY;
    const look = (): void => {
      const cover = sheet.current?.getBoundingClientRect();
      const boxes = [...document.querySelectorAll(".game :is(.player, .board-frame)")].map((one) =>
        one.getBoundingClientRect(),
      );
      const isBeside = cover !== undefined && cover.left > 1;
      const top = Math.min(...boxes.map((box) => box.top)) + scrollY;
      const bottom = Math.max(...boxes.map((box) => box.bottom)) + scrollY;
      const isFree = isBeside || bottom <= (cover?.top ?? bottom) + 1;
      scrollTo({ top: isFree ? 0 : top, behavior: "instant" });
    };
    look();
    addEventListener("resize", look);
    return () => {
      removeEventListener("resize", look);
      scrollTo({ top: before, behavior: "instant" });
    };
  }, []);
}

/** Browsers that lay their keyboard over the page: the sheet stands above it. */
function useKeyboard(sheet: RefObject<HTMLDialogElement | null>): void {
  useLayoutEffect(() => {
    const view = visualViewport;
    if (!view) return;
    const look = (): void => {
      const covered = view.scale === 1 ? Math.max(0, innerHeight - view.height - view.offsetTop) : 0;
      sheet.current?.style.setProperty("--keyboard", `${Math.round(covered)}px`);
    };
    look();
    view.addEventListener("resize", look);
    view.addEventListener("scroll", look);
    return () => {
      view.removeEventListener("resize", look);
      view.removeEventListener("scroll", look);
    };
  }, []);
}
