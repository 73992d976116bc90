/** A result in words: the score and whose it is, the reason, and the proof on which it rests. */
import type { OutcomeView } from "#protocol";
import type { Color } from "../../chess/square";
import { isDecidedByProof } from "../../state/proof";
import { showPlayedOut, showProof, showReason, showResult, showScore } from "../../text/words";
import { useText } from "../context";

interface Props {
  readonly outcome: OutcomeView;
  readonly seat: Color | null;
}

/** Score and winner. */
function Verdict({ outcome, seat }: Props) {
  const text = useText();
  return (
    <>
      <strong class="score">{showScore(outcome.score)}</strong> <strong>{showResult(text, outcome, seat)}</strong>
    </>
  );
}

/** The verdict with its reason; a proof is named where the result is what it is because of it. */
export function Words({ outcome, seat }: Props) {
  const text = useText();
  return (
    <>
      <Verdict outcome={outcome} seat={seat} />
      <span class="reason">{showReason(text, outcome, seat)}</span>
      {outcome.proof !== undefined && isDecidedByProof(outcome) && (
        <span class="proof">{showProof(text, outcome.proof)}</span>
      )}
      {outcome.played_out && <span class="proof">{showPlayedOut(text, outcome.played_out)}</span>}
    </>
  );
}
