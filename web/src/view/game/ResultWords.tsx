/** A result in words: the score and whose it is, and the reason. */
import type { OutcomeView } from "#protocol";
import type { Color } from "../../chess/square";
import { showPlayedOut, showReason, showResult, showScore } from "../../text/words";
import { useText } from "../context";

interface Props {
  readonly outcome: OutcomeView;
  readonly seat: Color | null;
}

/** Score and winner; without a result there is no score. */
function Verdict({ outcome, seat }: Props) {
  const text = useText();
  return (
    <>
      {outcome.score !== "*" && <strong class="score">{showScore(outcome.score)}</strong>}{" "}
      <strong>{showResult(text, outcome, seat)}</strong>
    </>
  );
}

/** The verdict with its reason. */
export function Words({ outcome, seat }: Props) {
  const text = useText();
  return (
    <>
      <Verdict outcome={outcome} seat={seat} />
      <span class="reason">{showReason(text, outcome, seat)}</span>
      {outcome.played_out && <span class="played-out">{showPlayedOut(text, outcome.played_out)}</span>}
    </>
  );
}
