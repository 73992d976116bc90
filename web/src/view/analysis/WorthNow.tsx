/**
 * What the position shown is worth, and the best move, beside the buttons that step: in sight together with the board. On a
 * phone, and in a low window, the best lines are in sight there and say it.
 *
 * For eyes alone, as the panel says it in words. Its place is there before anything is known: the buttons stay where they
 * are.
 */
import type { Evaluation } from "#protocol";
import { showWorth } from "../../state/analysis/worth";
import { showSan } from "../../text/words";
import { useText } from "../context";

export function WorthNow({ now }: { readonly now: Evaluation | undefined }) {
  const text = useText();
  const best = now?.line[0];
  return (
    <span class="worth-now" aria-hidden="true">
      <strong>{now && showWorth(text, now)}</strong>
      <span class="best-move">{best && showSan(text, best.san)}</span>
    </span>
  );
}
