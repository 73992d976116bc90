/** What the computer thinks of the position shown, in words: the score and the best line; and the whole game's. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { BestLine, Evaluation, WireReason } from "#protocol";
import { type Evaluations, type MarkedMove, bestInstead } from "../../state/analysis/mistakes";
import type { NewMove, Path } from "../../state/analysis/tree";
import { showWorth, speakWorth } from "../../state/analysis/worth";
import { showSan, speakSan } from "../../text/words";
import { useText } from "../context";
import { BestLines } from "./BestLines";
import type { Evaluated } from "./evaluation";

/** After so long an evaluation is late. */
const LATE_MS = 8_000;

interface Props {
  readonly evaluated: Pick<Evaluated, "known" | "now" | "rejected">;
  /** Which position is shown. */
  readonly place: Path;
  /** The best lines there; null until they are known. */
  readonly lines: readonly BestLine[] | null;
  /** Why no move is possible there; null while one is. */
  readonly over: WireReason | null;
  /** The mark of the move that led there, if it was a mistake. */
  readonly marked: MarkedMove | null;
  /** What is said of the whole game. */
  readonly children: ComponentChildren;
  add(moves: readonly NewMove[]): void;
}

export function EvaluationPanel({ evaluated, place, lines, over, marked, add, children }: Props) {
  const text = useText();
  const { evaluation: words } = text.analysis;
  const { known, now, rejected } = evaluated;
  const isSearching = now && now.line.length > 0 && lines === null;
  return (
    <section class="evaluation" aria-label={words.title}>
      <div class="verdict">
        <p class="score-line">
          {over !== null ? (
            <strong>{text.reasons[over]}</strong>
          ) : rejected !== null ? (
            <span class="quiet">{rejected === "has_live_games" ? words.playing : words.rejected}</span>
          ) : now ? (
            <>
              <strong aria-hidden="true">{showWorth(text, now)}</strong>
              <span class="visually-hidden">{speakWorth(text, now)}</span>{" "}
              {now.depth > 0 && <span class="quiet">{words.depth(now.depth)}</span>}
              {isSearching && <span class="quiet"> · {words.searching}</span>}
            </>
          ) : (
            <Asking key={place.join()} />
          )}
        </p>
        {marked && <BestInstead marked={marked} known={known} />}
      </div>
      {/* Empty they keep their place. */}
      {over !== null ? (
        <p class="best-lines quiet">{words.noMove}</p>
      ) : (
        <BestLines lines={lines ?? quickLines(now)} add={add} />
      )}
      {children}
    </section>
  );
}

/** That the server is asked, and after a while that it has no time: it evaluates with what games leave it. */
function Asking() {
  const { evaluation: words } = useText().analysis;
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  return <span class="quiet">{isLate ? words.busy : words.asking}</span>;
}

/** Beside a board without a game: why nothing is evaluated there. */
export function NoEvaluation() {
  const { evaluation: words } = useText().analysis;
  return (
    <section class="evaluation" aria-label={words.title}>
      <p class="quiet only-finished">{words.notHere}</p>
    </section>
  );
}

/** What the move shown gave away: its mark, and the best move in its place. */
function BestInstead({ marked, known }: { readonly marked: MarkedMove; readonly known: Evaluations }) {
  const text = useText();
  const { whole } = text.analysis;
  const san = bestInstead(marked, known);
  if (san === null) return null;
  return (
    <p class="best-instead">
      <strong class="mistake-mark" aria-hidden="true">
        {marked.mark}
      </strong>{" "}
      {whole.marks[marked.mark]}: <span aria-hidden="true">{whole.bestWas(showSan(text, san))}</span>
      <span class="visually-hidden">{whole.bestWas(speakSan(text, san))}</span>
    </p>
  );
}

/** The one line that is known before the longer search has ended. */
function quickLines(now: Evaluation | undefined): readonly BestLine[] {
  return now && now.line.length > 0 ? [{ ...now, moves: now.line }] : [];
}
