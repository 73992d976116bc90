/** The best moves in the position shown, each with its score and what follows. Pressed, a line is added to the moves. */
import type { BestLine } from "#protocol";
import type { NewMove } from "../../state/analysis/tree";
import { showWorth, speakWorth } from "../../state/analysis/worth";
import { showSan, speakSan } from "../../text/words";
import { useText } from "../context";

interface Props {
  /** The best one first; empty until one is known. */
  readonly lines: readonly BestLine[];
  add(moves: readonly NewMove[]): void;
}

export function BestLines({ lines, add }: Props) {
  const text = useText();
  const { evaluation: words } = text.analysis;
  return (
    <ol class="best-lines" aria-label={words.lines}>
      {lines.map((line) => {
        const shown = line.moves.map(({ san }) => showSan(text, san)).join(" ");
        const spoken = line.moves.map(({ san }) => speakSan(text, san)).join(", ");
        return (
          <li key={line.moves[0]?.uci}>
            <button type="button" title={words.add} onClick={() => add(line.moves)}>
              <strong aria-hidden="true">{showWorth(text, line)}</strong>
              <span class="line-moves" aria-hidden="true">
                {shown}
              </span>
              <span class="visually-hidden">{words.line(speakWorth(text, line), spoken)}</span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}
