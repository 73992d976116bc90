/**
 * What one can do about the others in a chat: mute them for oneself, block them, report what they wrote.
 *
 * In the players' room the opponent is listed, also one who has written nothing.
 */
import { useState } from "preact/hooks";
import type { ChatRoom, PlayerView } from "#protocol";
import { type Game, seatOf } from "zeitnot-client";
import { other } from "../../chess/square";
import { sendJson } from "../../net/api";
import { chatOf, writersOf } from "../../state/chat";
import { MUTED_MAX, withAccount } from "../../state/settings";
import { useApp, useStore, useText } from "../context";
import { Dialog } from "../Dialog";
import { showProblem } from "../form/problem";
import { Icon } from "../Icon";
import { LaterReport } from "../people/LaterReport";

interface Props {
  readonly game: Game;
  readonly room: ChatRoom;
}

type Open = "list" | PlayerView | null;

export function ChatPeople({ game, room }: Props) {
  const account = useApp((app) => app.account);
  const lines = useApp((app) => chatOf(app, game.id)[room].lines);
  const { chat } = useText().people;
  const [open, show] = useState<Open>(null);
  const close = (): void => show(null);
  return (
    <>
      <button
        type="button"
        class="plain"
        aria-haspopup="dialog"
        aria-label={chat.people}
        title={chat.people}
        onClick={() => show("list")}
      >
        <Icon name="people" />
      </button>
      {open === "list" && <List game={game} room={room} account={account} report={show} close={close} />}
      {open !== null && open !== "list" && (
        <LaterReport
          who={open}
          place={{ game: game.id, room }}
          lines={lines.filter((line) => line.by.account === open.account)}
          close={close}
        />
      )}
    </>
  );
}

interface ListProps extends Props {
  readonly account: string | null;
  report(who: PlayerView): void;
  close(): void;
}

function List({ game, room, account, report, close }: ListProps) {
  const text = useText();
  const spoken = useApp((app) => chatOf(app, game.id)[room]);
  const seat = seatOf(game, account);
  const opponent = seat !== null && room === "players" ? [game.players[other(seat)]] : [];
  const others = writersOf(spoken, account).filter((one) => opponent.every(({ account: id }) => id !== one.account));
  const people = [...opponent, ...others];
  return (
    <Dialog title={text.people.chat.people} class="account-dialog" closesBeside close={close}>
      {people.length === 0 && <p>{text.people.chat.nobody}</p>}
      <ul class="entries">
        {people.map((one) => (
          <Person key={one.account} who={one} report={() => report(one)} />
        ))}
      </ul>
      <button type="button" onClick={close}>
        {text.account.close}
      </button>
    </Dialog>
  );
}

function Person({ who, report }: { who: PlayerView; report(): void }) {
  const store = useStore();
  const text = useText();
  const { people } = text;
  const muted = useApp((app) => app.settings.muted);
  const isMuted = muted.includes(who.account);
  const [said, say] = useState("");
  const mute = (): void => {
    store.change({ muted: withAccount(muted, who.account, !isMuted, MUTED_MAX) });
    say(isMuted ? people.unmuted(who.name) : people.muted(who.name));
  };
  const block = async (): Promise<void> => {
    const sent = await sendJson("PUT", `/api/account/blocks/${who.account}`);
    say(sent.ok ? people.blocked(who.name) : showProblem(text, sent));
  };
  return (
    <li class="chat-person">
      <strong>{who.name}</strong>
      <span class="row">
        <button type="button" aria-label={isMuted ? people.unmuteOf(who.name) : people.muteOf(who.name)} onClick={mute}>
          {isMuted ? people.unmute : people.mute}
        </button>
        <button type="button" aria-label={people.blockOf(who.name)} onClick={() => void block()}>
          {people.block}
        </button>
        <button type="button" aria-label={people.reportOf(who.name)} onClick={report}>
          {people.report.button}
        </button>
      </span>
      <p role="status" class="quiet">
        {said}
      </p>
    </li>
  );
}
