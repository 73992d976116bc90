/** What a finished game did to a rating. */
import type { RatingStep } from "#protocol";
import { showChange } from "../../text/words";
import { useText } from "../context";

/** Of the player whose games these are; `isShort`: the change alone. */
export function Gained({ step, isShort = false }: { readonly step: RatingStep; readonly isShort?: boolean }) {
  const { archive, people } = useText();
  const points = step.after - step.before;
  const course = isShort ? "" : `${people.ratings.step(step.before, step.after)} `;
  const change = isShort ? showChange(points) : `(${showChange(points)})`;
  return (
    <span class="gained">
      <span aria-hidden="true">
        {course}
        <strong class={points > 0 ? "is-gain" : points < 0 ? "is-loss" : ""}>{change}</strong>
      </span>
      <span class="visually-hidden">{archive.gained(`${course}${change}`)}</span>
    </span>
  );
}
