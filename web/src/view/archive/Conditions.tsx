/**
 * The conditions of a filter, below the head of the list while the form is folded: each goes away by a press. In the order
 * and with the words of the form.
 */
import { type GameFilter, scoreOf } from "../../state/gameFilter";
import type { Catalogue } from "../../text";
import { showScore } from "../../text/words";
import { useText } from "../context";
import { Icon } from "../Icon";
import { showDay } from "../locale";

interface Props {
  readonly filter: GameFilter;
  /** The same list without a condition: what it has itself is none. */
  readonly whole: GameFilter;
  /** The name of the player in it. */
  readonly player: string;
  /** Whether they are of a list with games of everybody. */
  readonly isOfAll: boolean;
  remove(name: keyof GameFilter): void;
}

export function Conditions({ filter, whole, player, isOfAll, remove }: Props) {
  const text = useText();
  const { archive } = text;
  const values = valuesOf(text, filter, player, isOfAll);
  const names = (Object.keys(values) as (keyof GameFilter)[]).filter(
    (name) => values[name] && filter[name] !== whole[name],
  );
  if (names.length === 0) return null;
  return (
    <ul class="conditions" aria-label={archive.filters}>
      {names.map((name) => {
        const words = `${archive[name]}: ${values[name]}`;
        return (
          <li key={name}>
            <button type="button" aria-label={archive.without(words)} onClick={() => remove(name)}>
              <span>{words}</span>
              <Icon name="close" />
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function valuesOf(
  text: Catalogue,
  filter: GameFilter,
  player: string,
  isOfAll: boolean,
): Record<keyof GameFilter, string> {
  const { archive, sides } = text;
  const hasPlayer = !isOfAll || player !== "";
  const { color, fate, reason, category, rated, origin, opponent, since, until, opening } = filter;
  return {
    player,
    // Without a player they say nothing.
    opponent: hasPlayer ? opponent.trim() : "",
    fate: fate && (hasPlayer ? archive.fates[fate] : showScore(scoreOf(fate))),
    color: hasPlayer && color ? sides[color] : "",
    category: category && archive.categories[category],
    rated: rated && (rated === "true" ? archive.isRated : archive.isCasual),
    origin: origin && archive.origins[origin],
    reason: reason && archive.reasons[reason],
    since: dayOf(text, since),
    until: dayOf(text, until),
    opening: opening.trim(),
  };
}

/** An address may have something else in the place of a day. */
function dayOf(text: Catalogue, day: string): string {
  const at = Date.parse(day);
  return Number.isNaN(at) ? day : showDay(text, at / 1000);
}
