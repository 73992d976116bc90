/** By which rule moves are marked as mistakes; folded, and below all else, as it is read once. */
import { MARKS } from "../../state/analysis/mistakes";
import { useText } from "../context";

export function MistakeRule() {
  const { whole: words } = useText().analysis;
  return (
    <details class="mistake-rule">
      <summary>{words.rule}</summary>
      <p>{words.ruleText(MARKS)}</p>
    </details>
  );
}
