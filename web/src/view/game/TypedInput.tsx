/**
 * The line for typed moves and commands: everything that a hand can do at the board, and questions about it.
 *
 * Answers are shown beside it and read out.
 */
import { useRef, useState } from "preact/hooks";
import type { Position } from "../../chess/position";
import type { Color } from "../../chess/square";
import { readCommand } from "../../state/commands";
import type { Game } from "../../state/game";
import type { Hand } from "../../state/table";
import { useStore, useText } from "../context";
import { obey } from "./obey";

interface Props {
  readonly game: Game;
  readonly seat: Color | null;
  readonly hand: Hand;
  readonly position: Position;
  readonly line: readonly Position[];
}

export function TypedInput({ game, seat, hand, position }: Props) {
  const store = useStore();
  const text = useText();
  const [value, setValue] = useState("");
  const [answer, setAnswer] = useState("");
  const resigning = useRef(false);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!value.trim()) return;
    const meant = readCommand(value, text, hand, position);
    const reply = obey(store, text, { game, seat, position, meant, typed: value.trim(), resigning: resigning.current });
    resigning.current = meant.kind === "word" && meant.word === "resign" && !resigning.current;
    setValue("");
    setAnswer(reply);
    if (reply) store.say(reply);
  };
  return (
    <form class="typed" onSubmit={submit}>
      <div class="row">
        <input
          class="grow"
          type="text"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-label={text.typed.label}
          placeholder={text.typed.placeholder}
          value={value}
          onInput={(event) => setValue(event.currentTarget.value)}
        />
        <button type="submit">{text.typed.send}</button>
      </div>
      <p class="answer">{answer}</p>
    </form>
  );
}
