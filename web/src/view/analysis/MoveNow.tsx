/**
 * The move that led to the position shown, with its mark, and the move that would have been better: pressed, that one is
 * shown as a side line. It stands with the best lines, in sight together with the board, and its room is there for every
 * move.
 */
import type { Position } from "../../chess/position";
import type { Mark } from "../../state/analysis/mistakes";
import type { Node } from "../../state/analysis/tree";
import { showSan, showUci, speakSan, speakUci } from "../../text/words";
import { useText } from "../context";

/** A move, and the position in which it was made. */
export interface MadeMove {
  readonly node: Pick<Node, "uci" | "san">;
  readonly before: Position;
}

interface Props {
  /** Null at the first position. */
  readonly move: MadeMove | null;
  /** If it was a mistake. */
  readonly mark: Mark | null;
  /** What was best in its place, in SAN; null where that is not known, or nothing was better. */
  readonly best: string | null;
  showBest(): void;
}

export function MoveNow({ move, mark, best, showBest }: Props) {
  const text = useText();
  const { whole, firstPosition } = text.analysis;
  if (!move) return <p class="move-now quiet">{firstPosition}</p>;
  const { node, before } = move;
  const shown = node.san === null ? showUci(text, node.uci, before) : showSan(text, node.san);
  const spoken = node.san === null ? speakUci(text, node.uci, before) : speakSan(text, node.san);
  return (
    <div class="move-now">
      <p>
        <strong aria-hidden="true">{`${before.fullmove}${before.turn === "white" ? "." : "…"} ${shown}`}</strong>
        <span class="visually-hidden">{text.announcements.move(text.sides[before.turn], spoken)}</span>
        {mark && (
          <>
            {" "}
            <span class="mistake-mark" aria-hidden="true">
              {mark}
            </span>{" "}
            <span>{whole.marks[mark]}</span>
          </>
        )}
      </p>
      {mark && best !== null && (
        <button type="button" class="cell-button" title={whole.showBest} onClick={showBest}>
          <span aria-hidden="true">{whole.bestWas(showSan(text, best))}</span>
          <span class="visually-hidden">{`${whole.bestWas(speakSan(text, best))}. ${whole.showBest}`}</span>
        </button>
      )}
    </div>
  );
}
