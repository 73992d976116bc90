/**
 * What the computer thinks of the position shown, in one frame: the best lines, or why there are none, or how the game ends
 * there; and below them the move that led there, how deep was searched, and a button that searches deeper.
 */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { BestLine, Evaluation, OutcomeView } from "#protocol";
import type { Position } from "../../chess/position";
import type { Color } from "../../chess/square";
import { awaitedOf } from "../../state/analysis/bestLines";
import type { NewMove, Path } from "../../state/analysis/tree";
import { showWorth, speakWorth } from "../../state/analysis/worth";
import { ownGames } from "../../state/ownGames";
import { showResult } from "../../text/words";
import type { Catalogue } from "../../text";
import { useApp, useText } from "../context";
import { PageLink } from "../HomeLink";
import { useMedia } from "../media";
import { useLasts } from "../now";
import { AwaitedLines, BestLines } from "./BestLines";
import type { ShownLines } from "./bestLines";
import type { Evaluated } from "./evaluation";

/** After so long an evaluation is late. */
export const LATE_MS = 8_000;

/** A phone on which the move that led there stands below the list of moves, as analysisLayout.css has it. */
const LOW_PHONE =
  "(orientation: portrait) and (max-width: 40rem) and (min-height: 30rem) and (min-aspect-ratio: 501 / 1000)";

interface Props {
  readonly evaluated: Pick<Evaluated, "now" | "rejected">;
  /** Which position is shown, and where it stands among the moves. */
  readonly position: Position;
  readonly place: Path;
  readonly bottom: Color;
  /** In the place of lines, where the evaluations are those of a PGN. */
  readonly noted: ComponentChildren;
  /** The best lines there. */
  readonly best: ShownLines;
  /** How many moves are legal there; null until that is known. */
  readonly legal: number | null;
  /** How a game ends there, as no move is possible; null while one is. */
  readonly over: OutcomeView | null;
  /** Of the move that led there; whether the mistake in short is shown above it. */
  moveNow(isNoted: boolean): ComponentChildren;
  /** The same of a mistake in short, where there is little room; null of any other move. */
  readonly mistake: ComponentChildren;
  add(moves: readonly NewMove[], plays?: number): void;
}

export function EvaluationPanel({
  evaluated,
  position,
  place,
  bottom,
  noted,
  best,
  legal,
  over,
  moveNow,
  mistake,
  add,
}: Props) {
  const text = useText();
  const { evaluation: words } = text.analysis;
  const { now, rejected } = evaluated;
  const shown = best.lines ?? quickLines(now);
  const awaited = awaitedOf(shown.length, best.lines !== null, legal);
  // Kept here, so that it stays while one steps to positions whose lines are not known yet.
  const [isUnfolded, unfold] = useState(false);
  const note = useMedia(LOW_PHONE) && over === null && !noted && !isUnfolded && mistake;
  return (
    <section class={`evaluation ${noted ? "is-noted" : ""}`} aria-label={words.title}>
      <div class="lines-room">
        {note}
        {over !== null ? (
          <p class="no-lines is-over">
            <span class="visually-hidden">{showResult(text, over, null)}: </span>
            <strong>{text.reasons[over.reason]}</strong>
          </p>
        ) : noted ? (
          <div class="no-lines quiet">{noted}</div>
        ) : rejected !== null ? (
          <WhyRejected code={rejected} />
        ) : shown.length > 0 ? (
          <BestLines
            lines={shown}
            awaited={awaited}
            from={position}
            bottom={bottom}
            isUnfolded={isUnfolded}
            unfold={unfold}
            add={add}
          />
        ) : (
          <Asking key={place.join()} awaited={awaited} />
        )}
      </div>
      <div class="lines-foot">
        {moveNow(Boolean(note))}
        {over === null && now && (
          <div class="depth-now">
            <p class="quiet">{now.depth > 0 && words.depth(now.depth)}</p>
            {noted ? (
              <Score now={now} />
            ) : best.lines === null ? (
              <p class="quiet">{words.searching}</p>
            ) : (
              <GoDeeper {...best} />
            )}
          </div>
        )}
      </div>
    </section>
  );
}

/** Why the server does not evaluate, by its code. */
export function whyRejected(
  text: Catalogue,
  code: string | null,
  otherwise = text.analysis.evaluation.rejected,
): string {
  const { evaluation: words } = text.analysis;
  if (code === "has_live_games") return words.playing;
  if (code === "no_identity") return words.noGuest("");
  const why = Object.entries(text.codes).find(([known]) => known === code && /^too_many_/u.test(known))?.[1];
  return why === undefined ? otherwise : words.noGuest(why);
}

/** Where a game that is played is the reason, the way to it. */
function WhyRejected({ code }: { readonly code: string }) {
  const text = useText();
  const played = useApp((app) => (code === "has_live_games" ? (ownGames(app)[0]?.id ?? null) : null));
  const why = whyRejected(text, code);
  return (
    <p class="no-lines quiet">
      {played === null ? (
        why
      ) : (
        <PageLink class="to-game" to={{ at: "game", id: played }}>
          {why}
        </PageLink>
      )}
    </p>
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

/** That the server is asked, and after a while that it has no time: it evaluates with what games leave it. */
function Asking({ awaited }: { readonly awaited: number }) {
  const { evaluation: words } = useText().analysis;
  const isLate = useLasts(LATE_MS);
  return (
    <div class="best-lines">
      <ol>
        <li class="no-lines quiet">{isLate ? words.busy : words.asking}</li>
        <AwaitedLines count={awaited - 1} />
      </ol>
    </div>
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

interface NoEvaluationProps {
  /** Whether something was loaded or set up: on a phone this stands where the evaluation would, and not low on the page. */
  readonly isLoaded: boolean;
  readonly children: ComponentChildren;
}

/** Beside a board without a game: that nothing is evaluated there and why, and what else there is to say. */
export function NoEvaluation({ isLoaded, children }: NoEvaluationProps) {
  const { evaluation: words } = useText().analysis;
  return (
    <section class={`no-evaluation ${isLoaded ? "of-loaded" : ""}`} aria-label={words.title}>
      <h2>{words.none}</h2>
      <p class="quiet">{words.notHere}</p>
      {children}
    </section>
  );
}

/** The one line that is known before the longer search has ended. */
function quickLines(now: Evaluation | undefined): readonly BestLine[] {
  return now && now.line.length > 0 ? [{ ...now, moves: now.line }] : [];
}
