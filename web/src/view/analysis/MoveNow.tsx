/**
 * The move that led to the position shown; of a mistake its mark, what it cost, and the move that would have been better, with
 * the arrow that it has on the board: pressed, that one is shown as a side line. Where a note beside the board says already what
 * was best, this says only that it is shown. Below any other move an arrow leads to the worst one of the game. It is in sight
 * together with the board, and its room is there for every move.
 *
 * A mark, its cost and the better move are those of the whole game's analysis. Where a deeper search has found another score
 * for the position shown, it is said how deep that analysis went: else the two would contradict each other.
 */
import type { Evaluation } from "#protocol";
import { type Position, moveNumber } from "../../chess/position";
import { MISSED } from "../../state/analysis/hints";
import { type Mark, type MarkedMove, bestInstead } from "../../state/analysis/mistakes";
import type { Node } from "../../state/analysis/tree";
import { showWorth, speakWorth } from "../../state/analysis/worth";
import { showSan, showUci, speakSan, speakUci } from "../../text/words";
import type { Catalogue } from "../../text";
import { useText } from "../context";
import { MarkSign } from "./Mark";

/** A move, and the position in which it was made. */
export interface MadeMove {
  readonly node: Pick<Node, "uci" | "san">;
  readonly before: Position;
}

interface Props {
  /** Null at the first position. */
  readonly move: MadeMove | null;
  /** If it was a mistake. */
  readonly marked: MarkedMove | null;
  /** What the position shown is worth, as it is said beside this. */
  readonly now: Evaluation | undefined;
  /** Whether a note nearer to the board says what was best. */
  readonly isNoted: boolean;
  showBest(): void;
  /** The marked move that cost most, by its number and in SAN; null until all are known, or without one. */
  readonly worst: { readonly number: string; readonly san: string; readonly mark: Mark } | null;
  toWorst(): void;
}

export function MoveNow({ move, marked, now, isNoted, showBest, worst, toWorst }: Props) {
  const text = useText();
  const { whole, firstPosition } = text.analysis;
  const best = marked && bestInstead(marked);
  const depth = marked && otherDepth(text, marked, now);
  const way =
    best !== null ? whatWasBest(text, best.san, depth, isNoted) : !marked && worst ? whatWasWorst(text, worst) : null;
  return (
    <div class="move-now">
      {move ? <Made {...move} marked={marked} /> : <p class="quiet">{firstPosition}</p>}
      {/* One button, so that it keeps the focus when it has led to the worst move and now shows what was best there. */}
      {way && (
        <button
          type="button"
          class="cell-button"
          title={best === null ? undefined : whole.showBest(showSan(text, best.san))}
          onClick={best === null ? toWorst : showBest}
        >
          <span aria-hidden="true">
            {best !== null && <ArrowKey />}
            {way.shown}
          </span>
          <span class="visually-hidden">{way.spoken}</span>
        </button>
      )}
    </div>
  );
}

/** A mistake in one line, for eyes alone: whoever hears the page is told it beside the better move, which is pressed there. */
export function MistakeNote({ marked, ...made }: MadeMove & { readonly marked: MarkedMove }) {
  const text = useText();
  const best = bestInstead(marked);
  return (
    <div class="mistake-note" aria-hidden="true">
      <Made {...made} marked={marked} />
      {best && (
        <p>
          <ArrowKey />
          {text.analysis.whole.bestWas(showSan(text, best.san))}
        </p>
      )}
    </div>
  );
}

/** The arrow that stands for the move on the board. */
function ArrowKey() {
  return (
    <svg class="arrow-key" viewBox="0 0 20 10">
      <path class={MISSED} d="M1 3.500H11V1L19 5L11 9V6.500H1z" />
    </svg>
  );
}

function whatWasBest(text: Catalogue, best: string, depth: number | null, isNoted: boolean) {
  const { whole, evaluation } = text.analysis;
  const at = depth === null ? "" : ` (${evaluation.shortDepth(depth)})`;
  return {
    // Beside a note there is no room for more.
    shown: isNoted ? whole.showBest(showSan(text, best)) : whole.bestWas(showSan(text, best)) + at,
    spoken: `${whole.bestWas(speakSan(text, best))}${at}. ${whole.showBest(speakSan(text, best))}`,
  };
}

function whatWasWorst(text: Catalogue, { number, san, mark }: NonNullable<Props["worst"]>) {
  const { worst, marks } = text.analysis.whole;
  return {
    shown: `→ ${worst(`${number} ${showSan(text, san)}${mark}`)}`,
    spoken: worst(`${speakSan(text, san)}, ${marks[mark]}`),
  };
}

function Made({ node, before, marked }: MadeMove & Pick<Props, "marked">) {
  const text = useText();
  const { whole } = text.analysis;
  const shown = node.san === null ? showUci(text, node.uci, before) : showSan(text, node.san);
  const spoken = node.san === null ? speakUci(text, node.uci, before) : speakSan(text, node.san);
  return (
    <p>
      <strong aria-hidden="true">{`${moveNumber(before)} ${shown}`}</strong>
      <span class="visually-hidden">{text.announcements.move(text.sides[before.turn], spoken)}</span>
      {marked && (
        <>
          {" "}
          <MarkSign mark={marked.mark} /> <Cost {...marked} />
          <span class="mark-word">{whole.marks[marked.mark]}</span>
          {marked.before && marked.after && (
            <span class="visually-hidden">
              {`, ${whole.cost(speakWorth(text, marked.before), speakWorth(text, marked.after))}`}
            </span>
          )}
        </>
      )}
    </p>
  );
}

/** How deep was searched for the cost of a mistake, where the position is now said to be worth something else; null if not. */
function otherDepth(text: Catalogue, { after }: MarkedMove, now: Evaluation | undefined): number | null {
  if (!after || !now || after.depth === now.depth) return null;
  return showWorth(text, after) === showWorth(text, now) ? null : after.depth;
}

/** What the position was worth before and after a mistake, for eyes alone; of one in a PGN it may not be known. */
function Cost({ before, after }: Pick<MarkedMove, "before" | "after">) {
  const text = useText();
  if (!before || !after) return null;
  return (
    <>
      <span class="cost" aria-hidden="true">
        {`${showWorth(text, before)} → ${showWorth(text, after)}`}
      </span>{" "}
    </>
  );
}
