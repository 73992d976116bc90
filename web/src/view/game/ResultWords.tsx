/** A result in words: whose it is, and the reason. */
import type { ComponentChildren } from "preact";
import type { OutcomeView } from "#protocol";
import type { Color } from "../../chess/square";
import { showPlayedOut, showReason, showResult, showScore } from "../../text/words";
import { useText } from "../context";

interface Props {
  readonly outcome: OutcomeView;
  readonly seat: Color | null;
  /** That a rematch is offered: behind the result, so that nothing moves. */
  readonly offer: string | null;
  /** What it did to rating or series: in the same place on a phone, where the sentences that say it have no room. */
  readonly inShort: string | null;
  /** What stands on the line of the reason. */
  readonly children: ComponentChildren;
}

/** The points of a player stand beside it, large; spectators have the score in front. Without a result there is none. */
export function Words({ outcome, seat, offer, inShort, children }: Props) {
  const text = useText();
  const hasScore = seat === null && outcome.score !== "*";
  return (
    <>
      <span class="headline">
        {hasScore && <strong class="score">{showScore(outcome.score)}</strong>}{" "}
        <strong>{showResult(text, outcome, seat)}</strong>
        {offer !== null && <span class="result-offer">{offer}</span>}
        {inShort !== null && (
          <span class="result-short" aria-hidden="true">
            {inShort}
          </span>
        )}
      </span>
      <span class="reason">
        <span>{showReason(text, outcome, seat)}</span> {children}
      </span>
      {outcome.played_out && <span class="played-out">{showPlayedOut(text, outcome.played_out)}</span>}
    </>
  );
}
