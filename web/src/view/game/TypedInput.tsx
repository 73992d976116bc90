/**
 * The input for typed moves and commands: everything that the pointer can do, and questions about the position. Whoever
 * cannot move is asked for commands alone.
 *
 * Answers are shown below it and read out. A sentence goes with the position that it was about; the list of the commands, and
 * the question whether to resign, with the end of the game.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Game } from "zeitnot-client";
import type { Position } from "../../chess/position";
import type { Color } from "../../chess/square";
import { parseCommand } from "../../state/typedCommands";
import { inputOf } from "../../state/app";
import { displayed } from "../../state/boardInput";
import { type Reply, speakReply } from "../../text/help";
import { Answer } from "../Answer";
import { useStore, useText } from "../context";
import { TYPED_LINE } from "./keys";
import { inputModeOf } from "./marks";
import { canMove, runCommand } from "./runCommand";

interface Props {
  readonly game: Game;
  readonly seat: Color | null;
  readonly position: Position;
}

export function TypedInput({ game, seat, position }: Props) {
  const store = useStore();
  const text = useText();
  const [value, setValue] = useState("");
  const [answer, setAnswer] = useState<Reply>("");
  const resigning = useRef(false);
  const hasEnded = game.outcome !== null;
  useEffect(() => setAnswer(""), [hasEnded]);
  useEffect(() => setAnswer((old) => (typeof old === "string" && !resigning.current ? "" : old)), [game.on]);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!value.trim()) return;
    const { settings } = store.state;
    const input = { ...inputOf(store.state, game.id), confirming: null };
    // Whoever types a move and presses Enter has confirmed it.
    const mode = inputModeOf(game, seat, input, { ...settings, moveConfirmation: false });
    const from = displayed(position, input, game.on, settings.premoves === "several");
    const command = parseCommand(value, text, mode, from);
    const reply = runCommand(store, text, {
      game,
      seat,
      position,
      from,
      mode,
      command,
      typed: value.trim(),
      resigning: resigning.current,
    });
    resigning.current = command.kind === "word" && command.word === "resign" && !resigning.current;
    setValue("");
    setAnswer(reply);
    if (reply) store.say(speakReply(reply));
  };
  const words = canMove(game, seat) ? text.typed : text.typed.watching;
  return (
    <form class="typed" onSubmit={submit}>
      <div class="row">
        <input
          class="grow"
          id={TYPED_LINE}
          type="text"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-label={words.label}
          placeholder={words.placeholder}
          value={value}
          onInput={(event) => setValue(event.currentTarget.value)}
        />
        <button type="submit">{text.typed.send}</button>
      </div>
      <Answer reply={answer} />
    </form>
  );
}
