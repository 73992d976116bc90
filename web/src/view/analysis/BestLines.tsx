/**
 * The best moves in the position shown, each with its score and what follows. Pressed, a line is added to the moves. In a row
 * each ends after a whole move; unfolded, all of them are there and whole. Together they fill one room, however many they are,
 * so what stands below keeps its place; a line that is still searched for is an outline.
 */
import type { BestLine } from "#protocol";
import type { Position } from "../../chess/position";
import { numbered } from "../../state/analysis/bestLines";
import type { NewMove } from "../../state/analysis/tree";
import { showWorth, speakWorth } from "../../state/analysis/worth";
import { showSan, speakSan } from "../../text/words";
import { useText } from "../context";
import { Icon } from "../Icon";

interface Props {
  /** The best one first; empty until one is known. */
  readonly lines: readonly BestLine[];
  /** How many more the search will find. */
  readonly awaited: number;
  /** The position in which they begin. */
  readonly from: Position;
  readonly isUnfolded: boolean;
  unfold(isUnfolded: boolean): void;
  add(moves: readonly NewMove[]): void;
}

export function BestLines({ lines, awaited, from, isUnfolded, unfold, add }: Props) {
  const text = useText();
  const { evaluation: words } = text.analysis;
  return (
    <div class={`best-lines ${isUnfolded ? "unfolded" : ""}`}>
      <ol aria-label={words.lines}>
        {lines.map((line) => {
          const shown = line.moves.map(({ san }) => showSan(text, san));
          const spoken = line.moves.map(({ san }) => speakSan(text, san)).join(", ");
          return (
            <li key={line.moves[0]?.uci}>
              <button type="button" title={words.add} onClick={() => add(line.moves)}>
                <strong aria-hidden="true">{showWorth(text, line)}</strong>
                <span class="line-moves" aria-hidden="true">
                  {numbered(from, shown)}
                </span>
                <span class="visually-hidden">{words.line(speakWorth(text, line), spoken)}</span>
              </button>
            </li>
          );
        })}
        <AwaitedLines count={awaited} />
      </ol>
      <button
        type="button"
        class="unfold"
        title={words.unfold}
        aria-label={words.unfold}
        aria-expanded={isUnfolded}
        onClick={() => unfold(!isUnfolded)}
      >
        <Icon name="unfold" />
      </button>
    </div>
  );
}

/** The room of lines that are searched for: the words below say so. */
export function AwaitedLines({ count }: { readonly count: number }) {
  return (
    <>
      {Array.from({ length: count }, (_, at) => (
        <li class="awaited" key={`awaited ${at}`} aria-hidden="true" />
      ))}
    </>
  );
}
