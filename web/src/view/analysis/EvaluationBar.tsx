/**
 * The evaluation of the position shown as a bar beside the board: the nearer side's share from below.
 *
 * A picture for eyes alone: the panel says it in words.
 */
import type { Evaluation } from "#protocol";
import type { Color } from "../../chess/square";
import { shareOf } from "../../state/analysis/worth";

interface Props {
  /** Undefined while it is not known: then the bar has a colour of its own, between those of the sides. */
  readonly evaluation: Evaluation | undefined;
  readonly bottom: Color;
}

export function EvaluationBar({ evaluation, bottom }: Props) {
  const share = evaluation && 100 * shareOf(evaluation);
  return (
    <svg class="evaluation-bar" viewBox="0 0 4 100" preserveAspectRatio="none" aria-hidden="true">
      {share === undefined ? (
        <rect class="for-nobody" width="4" height="100" />
      ) : (
        <>
          <rect class="for-black" width="4" height="100" />
          <rect class="for-white" width="4" y={bottom === "white" ? 100 - share : 0} height={share} />
        </>
      )}
      <path class="even" d="M0 50h4" />
    </svg>
  );
}
