/**
 * The input of a chat room.
 *
 * A rejected message comes back into an empty input; the reason is shown as a notice. Ready phrases are sent at once.
 */
import { useEffect, useState } from "preact/hooks";
import type { ChatRoom, GameId } from "#protocol";
import { CHAT_CHARS, type Room } from "../../state/chat";
import { phrasesIn } from "../../text/phrases";
import { useApp, useStore, useText } from "../context";
import { Icon } from "../Icon";
import { Menu, MenuItem } from "../Menu";

/** From this length on the remaining characters are shown. */
const TOLD_FROM = 160;

interface Props {
  readonly game: GameId;
  readonly room: ChatRoom;
  readonly rejected: Room["rejected"];
}

export function ChatInput({ game, room, rejected }: Props) {
  const store = useStore();
  const text = useText().play.chat;
  const [value, setValue] = useState("");
  const [seen, see] = useState(rejected?.n);
  useEffect(() => {
    if (rejected === null || rejected.n === seen) return;
    see(rejected.n);
    setValue((begun) => begun || rejected.text);
  }, [rejected]);
  const submit = (event: Event): void => {
    event.preventDefault();
    const said = value.trim();
    if (!said) return;
    store.send({ t: "say", d: { game, room, text: said } });
    setValue("");
  };
  const left = CHAT_CHARS - value.length;
  return (
    <form class="say row" onSubmit={submit}>
      <Phrases say={(phrase) => store.send({ t: "say", d: { game, room, text: phrase } })} />
      <input
        id="chat-input"
        class="grow"
        type="text"
        autocomplete="off"
        maxLength={CHAT_CHARS}
        enterKeyHint="send"
        aria-label={text.input(room)}
        aria-keyshortcuts="c"
        placeholder={text.placeholder}
        value={value}
        onInput={(event) => setValue(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
      />
      {value.length >= TOLD_FROM && <span class="quiet left">{text.left(left)}</span>}
      <button type="submit">{text.send}</button>
    </form>
  );
}

function Phrases({ say }: { say(phrase: string): void }) {
  const language = useApp((app) => app.settings.language);
  const { chat } = useText().people;
  return (
    <Menu class="plain phrases" label={chat.phrases} face={<Icon name="phrases" />}>
      {(choose) =>
        phrasesIn(language).map((phrase) => (
          <MenuItem key={phrase} label={phrase} act={() => choose(() => say(phrase))} />
        ))
      }
    </Menu>
  );
}
