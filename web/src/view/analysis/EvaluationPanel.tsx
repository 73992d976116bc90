/**
 * What the computer thinks of the position shown, in one frame: the best lines, or why there are none, or how the game ends
 * there; and below them what LinesFoot.tsx says of the move that led there, unless that stands elsewhere.
 */
import type { ComponentChildren } from "preact";
import type { BestLine, Evaluation, OutcomeView } from "#protocol";
import type { Position } from "../../chess/position";
import type { Color } from "../../chess/square";
import { awaitedOf } from "../../state/analysis/bestLines";
import type { NewMove, Path } from "../../state/analysis/tree";
import { ownGames } from "../../state/ownGames";
import { showResult } from "../../text/words";
import type { Catalogue } from "../../text";
import { useApp, useText } from "../context";
import { PageLink } from "../HomeLink";
import { useLasts } from "../now";
import { AwaitedLines, BestLines } from "./BestLines";
import type { ShownLines } from "./bestLines";

/** After so long an evaluation is late. */
export const LATE_MS = 8_000;

interface Props {
  /** The code with which the server does not evaluate; null while it may. */
  readonly rejected: string | null;
  /** Of the position shown. */
  readonly now: Evaluation | undefined;
  /** The best lines there. */
  readonly best: ShownLines;
  /** How many moves are legal there; null until that is known. */
  readonly legal: number | null;
  /** Which position is shown, and where it stands among the moves. */
  readonly position: Position;
  readonly place: Path;
  readonly bottom: Color;
  /** In the place of lines, where the evaluations are those of a PGN. */
  readonly noted: ComponentChildren;
  /** How a game ends there, as no move is possible; null while one is. */
  readonly over: OutcomeView | null;
  /** What a mistake cost in short, where there is little room; else null. */
  readonly note: ComponentChildren;
  /** What LinesFoot.tsx says, if it stands here. */
  readonly foot: ComponentChildren;
  readonly isUnfolded: boolean;
  unfold(isUnfolded: boolean): void;
  add(moves: readonly NewMove[], plays?: number): void;
}

export function EvaluationPanel(props: Props) {
  const { rejected, now, best, legal, position, place, noted, over, note, foot, ...lines } = props;
  const text = useText();
  const shown = best.lines ?? quickLines(now);
  const awaited = awaitedOf(shown.length, best.lines !== null, legal);
  return (
    <section class={`evaluation ${noted ? "is-noted" : ""}`} aria-label={text.analysis.evaluation.title}>
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
          <BestLines {...lines} lines={shown} awaited={awaited} from={position} />
        ) : (
          <Asking key={place.join()} awaited={awaited} />
        )}
      </div>
      {foot}
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
