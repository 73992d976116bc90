/**
 * A line in which moves are typed, in SAN or UCI, against the server's list of legal moves. A move that is typed before the
 * list is there is played when it comes.
 */
import { useEffect, useState } from "preact/hooks";
import type { PositionAnalysis } from "#protocol";
import { readTyped } from "../../chess/notation";
import type { Position } from "../../chess/position";
import type { Path } from "../../state/analysis/tree";
import { useStore, useText } from "../context";

interface Props {
  readonly position: Position;
  /** Which position it is. */
  readonly place: Path;
  readonly facts: PositionAnalysis | null;
  /** What the keys do here, if it is not what they do in an analysis. */
  readonly hint?: string;
  play(uci: string): void;
}

export function TypedMove({ position, place, facts, hint, play }: Props) {
  const store = useStore();
  const text = useText();
  const { analysis } = text;
  const [value, setValue] = useState("");
  const [answer, setAnswer] = useState("");
  const [isSent, setSent] = useState(false);
  // What was said of a move does not hold in another position.
  useEffect(() => {
    setAnswer("");
    setSent(false);
  }, [place]);
  useEffect(() => {
    if (!isSent || !facts) return;
    setSent(false);
    const typed = value.trim();
    const move = readTyped(typed, facts.legal, position, text.letters);
    if (move.kind === "move") {
      play(move.uci);
      setValue("");
      return setAnswer("");
    }
    const wrong = move.kind === "several" ? analysis.typedSeveral(typed) : analysis.typedUnknown(typed);
    setAnswer(wrong);
    store.say(wrong);
  }, [isSent, facts]);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!value.trim()) return;
    setSent(true);
    if (!facts) setAnswer(analysis.asking);
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
          placeholder={text.typed.placeholder}
          value={value}
          onInput={(event) => {
            setValue(event.currentTarget.value);
            setAnswer("");
            setSent(false);
          }}
        />
        <button type="submit">{text.typed.send}</button>
      </div>
      <p id="analysis-keys" class="visually-hidden">
        {hint ?? analysis.keys}
      </p>
      <p class="answer">{answer}</p>
    </form>
  );
}
