/**
 * The form that says which finished games are looked for, folded behind its button in the head of the list, with its rare
 * conditions folded once more; while it is folded, the conditions stand in its place, and a button beside its own clears them;
 * among the games of everybody a field for a player or an opening, too.
 * A choice counts at once, what is typed after Enter or when its field is left.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import {
  CATEGORIES,
  FATES,
  type GameFilter,
  ORIGINS,
  REASONS,
  conditionsOf,
  isSameFilter,
  isWholeDay,
  parametersOf,
  scoreOf,
} from "../../state/gameFilter";
import { showScore } from "../../text/words";
import { useText } from "../context";
import { Conditions } from "./Conditions";
import { QuickSearch } from "./QuickSearch";
import { OpeningField, PlayerNameField } from "./SuggestedField";

const SIDES = ["white", "black"] as const;
/** Folded while there is none of them. */
const RARE = ["reason", "since", "until"] as const;

interface Props {
  /** The heading of the list. */
  readonly children: ComponentChildren;
  /** The filter of the list. */
  readonly asked: GameFilter;
  /** The name of the player in it, for whom an account may stand there. */
  readonly player: string;
  /** The same list without what was searched for. */
  readonly whole: GameFilter;
  /** Whether the list has games of everybody, among which one looks for those of a player. */
  readonly isOfAll: boolean;
  readonly isOpen: boolean;
  open(isOpen: boolean): void;
  search(filter: GameFilter): void;
  /** Brings what is found into view. */
  show(): void;
}

export function Filters({ children, asked, whole, player, isOfAll, isOpen, open, search, show }: Props) {
  const text = useText();
  const { archive } = text;
  const [filter, render] = useState<GameFilter>(asked);
  // What the form has: whoever types and presses Enter at once does so before it is rendered.
  const latest = useRef(filter);
  const set = (wanted: GameFilter): void => {
    latest.current = wanted;
    render(wanted);
  };
  // What the form asked for last: Enter in a field both changes it and sends the form.
  const last = useRef(asked);
  const [isMore, setMore] = useState(false);
  // Whoever goes back finds the filter of that list in the form, too.
  useEffect(() => {
    if (isSameFilter(asked, last.current)) return;
    last.current = asked;
    set(asked);
  }, [parametersOf(asked)]);
  const type = (change: Partial<GameFilter>): void => set({ ...latest.current, ...change });
  const apply = (wanted: GameFilter): void => {
    set(wanted);
    if (isSameFilter(wanted, last.current)) return;
    last.current = wanted;
    search(wanted);
  };
  const change = (change: Partial<GameFilter>): void => apply({ ...latest.current, ...change });
  // Without a player nobody was the opponent, nor had a side: their fields keep their places, say so, and take nothing.
  const hasPlayer = !isOfAll || filter.player.trim() !== "";
  const areShown = !isOpen && !isSameFilter(asked, whole);
  // What was pressed goes away, and the focus with it.
  const remove = (wanted: GameFilter): void => {
    apply(wanted);
    document.getElementById("filters-button")?.focus();
  };
  const day = (name: "since" | "until") => (
    <Field label={archive[name]}>
      <input
        type="date"
        value={filter[name]}
        onInput={({ currentTarget: { value } }) => (isWholeDay(value) ? change : type)({ [name]: value })}
        onBlur={() => apply(latest.current)}
      />
    </Field>
  );
  const choice = <N extends "color" | "fate" | "reason" | "category" | "rated" | "origin">(
    name: N,
    choices: readonly (readonly [GameFilter[N], string])[],
    { isOff = false, isWide = false } = {},
  ) => (
    <Field label={archive[name]} isWide={isWide}>
      <select
        value={isOff ? "" : filter[name]}
        aria-disabled={isOff}
        onChange={(event) => change({ [name]: event.currentTarget.value } as Partial<GameFilter>)}
      >
        <option value="">{isOff ? archive.needsPlayer : archive.any}</option>
        {choices.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </Field>
  );
  const typed = (name: "player" | "opponent" | "opening", example: string) => ({
    label: archive[name],
    example,
    value: filter[name],
    type: (value: string) => type({ [name]: value }),
    change: (value: string) => change({ [name]: value }),
  });
  return (
    <>
      <div class="card-head">
        {children}
        <div class="filter-buttons">
          {areShown && (
            <button type="button" class="plain" onClick={() => remove(whole)}>
              {archive.clear}
            </button>
          )}
          <button
            type="button"
            id="filters-button"
            aria-expanded={isOpen}
            aria-controls="filters"
            onClick={() => open(!isOpen)}
          >
            {archive.filters}
          </button>
        </div>
      </div>
      {isOfAll && !isOpen && <QuickSearch isAlone={conditionsOf(asked) === 0} search={change} />}
      {areShown && (
        <Conditions
          filter={asked}
          whole={whole}
          player={player}
          isOfAll={isOfAll}
          remove={(name) => remove({ ...asked, [name]: "" })}
        />
      )}
      <form
        id="filters"
        class="filters"
        hidden={!isOpen}
        onSubmit={(event) => {
          event.preventDefault();
          apply(latest.current);
          show();
        }}
      >
        {isOfAll && (
          <PlayerNameField
            {...typed("player", archive.examples.name)}
            value={filter.player === asked.player ? player : filter.player}
          />
        )}
        <PlayerNameField
          {...typed("opponent", hasPlayer ? archive.examples.name : archive.needsPlayer)}
          isOff={!hasPlayer}
        />
        {choice(
          "fate",
          FATES.map((fate) => [fate, hasPlayer ? archive.fates[fate] : showScore(scoreOf(fate))] as const),
        )}
        {choice("color", hasPlayer ? SIDES.map((side) => [side, text.sides[side]] as const) : [], {
          isOff: !hasPlayer,
        })}
        {choice(
          "category",
          CATEGORIES.map((category) => [category, archive.categories[category]] as const),
        )}
        {choice("rated", [
          ["true", archive.isRated],
          ["false", archive.isCasual],
        ])}
        <OpeningField {...typed("opening", archive.examples.opening)} />
        <details
          open={isMore || RARE.some((name) => filter[name] !== "")}
          onToggle={(event) => setMore(event.currentTarget.open)}
        >
          <summary>{archive.more}</summary>
          <div class="filters">
            {choice(
              "reason",
              REASONS.map((reason) => [reason, archive.reasons[reason]] as const),
              { isWide: true },
            )}
            {isOfAll &&
              choice(
                "origin",
                ORIGINS.map((origin) => [origin, archive.origins[origin]] as const),
                { isWide: true },
              )}
            {day("since")}
            {day("until")}
          </div>
        </details>
        <div class="row">
          <button type="submit" class="primary">
            {archive.search}
          </button>
          <button type="button" onClick={() => apply(whole)}>
            {archive.clear}
          </button>
        </div>
      </form>
    </>
  );
}

interface FieldProps {
  readonly label: string;
  /** Whether it has a row of its own on a phone. */
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}

function Field({ label, isWide = false, children }: FieldProps) {
  return (
    <label class={isWide ? "field wide-field" : "field"}>
      <span>{label}</span>
      {children}
    </label>
  );
}
