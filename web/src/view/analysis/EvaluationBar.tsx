/**
 * The evaluation of the position shown as a bar beside the board: the nearer side's share from below; where there is room, with
 * the score at the end of the side that is better.
 *
 * A picture for eyes alone: the panel says it in words.
 */
import type { Evaluation } from "#protocol";
import type { Color } from "../../chess/square";
import { shareOf, showWorth } from "../../state/analysis/worth";
import { useText } from "../context";

interface Props {
  /** Undefined while it is not known: then the bar has a colour of its own, between those of the sides. */
  readonly evaluation: Evaluation | undefined;
  readonly bottom: Color;
}

export function EvaluationBar({ evaluation, bottom }: Props) {
  const share = evaluation && 100 * shareOf(evaluation);
  return (
    <div class="evaluation-bar" aria-hidden="true">
      <svg viewBox="0 0 4 100" preserveAspectRatio="none">
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
      {evaluation && share !== undefined && <Score evaluation={evaluation} share={share} bottom={bottom} />}
    </div>
  );
}

/** On the colour of the side that is better, which has at least half of the bar; the nearer one's while both are equal. */
function Score({ evaluation, share, bottom }: { evaluation: Evaluation; share: number; bottom: Color }) {
  const text = useText();
  const better = share === 50 ? bottom : share > 50 ? "white" : "black";
  return <span class={`bar-score on-${better} ${better === bottom ? "near" : ""}`}>{showWorth(text, evaluation)}</span>;
}
