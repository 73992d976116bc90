/** A line in which moves are typed, in SAN or UCI, against the server's list of legal moves. */
import { useEffect, useState } from "preact/hooks";
import type { PositionAnalysis } from "#protocol";
import { readTyped } from "../../chess/notation";
import type { Position } from "../../chess/position";
import { useStore, useText } from "../context";

interface Props {
  readonly position: Position;
  readonly facts: PositionAnalysis | null;
  play(uci: string): void;
}

export function TypedMove({ position, facts, play }: Props) {
  const store = useStore();
  const text = useText();
  const { analysis } = text;
  const [value, setValue] = useState("");
  const [answer, setAnswer] = useState("");
  // What was said of a move does not hold in another position.
  useEffect(() => setAnswer(""), [position]);
  const submit = (event: Event): void => {
    event.preventDefault();
    const typed = value.trim();
    if (!typed) return;
    const move = readTyped(typed, facts?.legal ?? [], position, text.letters);
    if (move.kind === "move") {
      play(move.uci);
      setValue("");
      setAnswer("");
      return;
    }
    const wrong = !facts
      ? analysis.asking
      : move.kind === "several"
        ? analysis.typedSeveral(typed)
        : analysis.typedUnknown(typed);
    setAnswer(wrong);
    store.say(wrong);
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
          aria-label={analysis.typed}
          aria-describedby="analysis-keys"
          placeholder={analysis.typedPlaceholder}
          value={value}
          onInput={(event) => {
            setValue(event.currentTarget.value);
            setAnswer("");
          }}
        />
        <button type="submit">{text.typed.send}</button>
      </div>
      <p id="analysis-keys" class="visually-hidden">
        {analysis.keys}
      </p>
      <p class="answer">{answer}</p>
    </form>
  );
}
