/**
 * Below the best lines: the move that led to the position shown, how deep was searched, and a button that searches deeper. On a
 * phone that is low for its width there is no room for that above the tabs: it stands under the tab of the moves.
 */
import type { ComponentChildren } from "preact";
import type { Evaluation } from "#protocol";
import { showWorth, speakWorth } from "../../state/analysis/worth";
import { useText } from "../context";
import type { ShownLines } from "./bestLines";

interface Props {
  /** What MoveNow.tsx says. */
  readonly children: ComponentChildren;
  /** Of the position shown; null where nothing more is said of it. */
  readonly now: Evaluation | null;
  /** Whether it is that of a PGN. */
  readonly isNoted: boolean;
  readonly best: ShownLines;
}

export function LinesFoot({ children, now, isNoted, best }: Props) {
  const { evaluation: words } = useText().analysis;
  return (
    <div class="lines-foot">
      {children}
      {now && (
        <div class="depth-now">
          <p class="quiet">{now.depth > 0 && words.depth(now.depth)}</p>
          {isNoted ? (
            <Score now={now} />
          ) : best.lines === null ? (
            <p class="quiet">{words.searching}</p>
          ) : (
            <GoDeeper {...best} />
          )}
        </div>
      )}
    </div>
  );
}

/** Asks for deeper lines; while it does, and where there are none, it says so in its place, and keeps the focus. */
function GoDeeper({ deeper, goDeeper }: ShownLines) {
  const { evaluation: words } = useText().analysis;
  if (deeper === null) return null;
  const isOff = deeper !== "possible";
  return (
    <button type="button" class="cell-button" aria-disabled={isOff} onClick={() => !isOff && goDeeper()}>
      {deeper === "possible" ? words.deeper : deeper === "searching" ? words.searching : words.deepest}
    </button>
  );
}

/** What the position is worth, where no line says it. */
function Score({ now }: { readonly now: Evaluation }) {
  const text = useText();
  return (
    <p>
      <strong aria-hidden="true">{showWorth(text, now)}</strong>
      <span class="visually-hidden">{speakWorth(text, now)}</span>
    </p>
  );
}
