/**
 * What the computer thinks of the position shown: the best lines, or why there are none, or how the game ends there; and the
 * score in words, with a button for deeper lines. On a phone the lines stand below the board, and the words below the moves.
 */
import { useEffect, useState } from "preact/hooks";
import type { BestLine, Evaluation, OutcomeView } from "#protocol";
import { type Evaluations, type MarkedMove, bestInstead } from "../../state/analysis/mistakes";
import type { NewMove, Path } from "../../state/analysis/tree";
import { showWorth, speakWorth } from "../../state/analysis/worth";
import { showResult, showSan, showScore, speakSan } from "../../text/words";
import type { Catalogue } from "../../text";
import { useText } from "../context";
import { BestLines } from "./BestLines";
import type { ShownLines } from "./bestLines";
import type { Evaluated } from "./evaluation";

/** After so long an evaluation is late. */
const LATE_MS = 8_000;

interface Props {
  readonly evaluated: Pick<Evaluated, "known" | "now" | "rejected">;
  /** Which position is shown. */
  readonly place: Path;
  /** The best lines there. */
  readonly best: ShownLines;
  /** How a game ends there, as no move is possible; null while one is. */
  readonly over: OutcomeView | null;
  /** The mark of the move that led there, if it was a mistake. */
  readonly marked: MarkedMove | null;
  add(moves: readonly NewMove[]): void;
}

export function EvaluationPanel({ evaluated, place, best, over, marked, add }: Props) {
  const text = useText();
  const { evaluation: words } = text.analysis;
  const { known, now, rejected } = evaluated;
  const shown = best.lines ?? quickLines(now);
  return (
    <section class="evaluation" aria-label={words.title}>
      <div class="best">
        {over !== null ? (
          <p class="no-lines is-over">
            <strong aria-hidden="true">{showScore(over.score)}</strong>
            <span class="visually-hidden">{showResult(text, over, null)}: </span>
            {text.reasons[over.reason]}
          </p>
        ) : rejected !== null ? (
          <p class="no-lines quiet">{whyRejected(text, rejected)}</p>
        ) : shown.length > 0 ? (
          <BestLines lines={shown} add={add} />
        ) : (
          <Asking key={place.join()} />
        )}
      </div>
      {/* Empty it keeps its place. */}
      <div class="verdict">
        <p class="score-line">
          {over !== null ? (
            <span class="quiet">{words.noMove}</span>
          ) : (
            now && (
              <>
                <strong aria-hidden="true">{showWorth(text, now)}</strong>
                <span class="visually-hidden">{speakWorth(text, now)}</span>{" "}
                {now.depth > 0 && <span class="quiet">{words.depth(now.depth)}</span>}
                {best.lines === null && <span class="quiet"> · {words.searching}</span>}
                <GoDeeper {...best} />
              </>
            )
          )}
        </p>
        {marked && <BestInstead marked={marked} known={known} />}
      </div>
    </section>
  );
}

/** Why the position shown is not evaluated, by the server's code. */
function whyRejected(text: Catalogue, code: string): string {
  const { evaluation: words } = text.analysis;
  if (code === "has_live_games") return words.playing;
  if (code === "no_identity") return words.noGuest("");
  const why = Object.entries(text.codes).find(([known]) => known === code && /^too_many_/u.test(known))?.[1];
  return why === undefined ? words.rejected : words.noGuest(why);
}

/** Asks for deeper lines; while it does, and where there are none, it says so in its place, and keeps the focus. */
function GoDeeper({ deeper, goDeeper }: ShownLines) {
  const { evaluation: words } = useText().analysis;
  if (deeper === null) return null;
  const isOff = deeper !== "possible";
  return (
    <button type="button" class="go-deeper" aria-disabled={isOff} onClick={() => !isOff && goDeeper()}>
      {deeper === "possible" ? words.deeper : deeper === "searching" ? words.searching : words.deepest}
    </button>
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
  return <p class="no-lines quiet">{isLate ? words.busy : words.asking}</p>;
}

/** Beside a board without a game: why nothing is evaluated there. */
export function NoEvaluation() {
  const { evaluation: words } = useText().analysis;
  return (
    <section class="no-evaluation quiet" aria-label={words.title}>
      <p>{words.notHere}</p>
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
