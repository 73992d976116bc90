/**
 * A field of the filters with suggestions while one types: openings with their codes and moves, or players with their ratings. One
 * that is chosen counts at once.
 */
import { useState } from "preact/hooks";
import type { Answer } from "../../net/ask";
import { findOpenings } from "../../net/find";
import { areMoves } from "../../state/gameFilter";
import type { Catalogue } from "../../text";
import { useText } from "../context";
import { useListBox } from "../form/listBox";
import { useTyped } from "../form/typed";
import { findRated } from "./found";
import { type Suggestion, SuggestionList, suggestOpenings, suggestPlayers } from "./SuggestionList";

interface Kind<T> {
  readonly find: (part: string) => Promise<Answer<T>>;
  /** Whether something may be found by what was typed. */
  readonly isPart: (typed: string) => boolean;
  readonly suggest: (found: T, text: Catalogue) => readonly Suggestion[];
}

const kindOf = <T,>(kind: Kind<T>): Kind<T> => kind;

const OPENINGS = kindOf({
  find: findOpenings,
  isPart: (typed) => typed.length > 1 && !areMoves(typed),
  suggest: ({ openings }, text) => suggestOpenings(text, openings),
});

const PLAYERS = kindOf({
  find: findRated,
  isPart: (typed) => typed.length > 1,
  suggest: (found, text) => suggestPlayers(text, found),
});

interface Props {
  readonly label: string;
  readonly example: string;
  readonly value: string;
  /** The field takes nothing; its example says why. */
  readonly isOff?: boolean;
  /** It has a row of its own on a phone. */
  readonly isWide?: boolean;
  type(value: string): void;
  /** The value counts from now on. */
  change(value: string): void;
}

export const OpeningField = (props: Props) => <SuggestedField {...props} of={OPENINGS} isWide />;
export const PlayerNameField = (props: Props) => <SuggestedField {...props} of={PLAYERS} />;

interface OfKind<T> extends Props {
  readonly of: Kind<T>;
}

function SuggestedField<T>({ label, example, value, isOff = false, isWide = false, type, change, of }: OfKind<T>) {
  const text = useText();
  const [isOpen, open] = useState(false);
  // Nothing is suggested for what has come with the address.
  const [typed, setTyped] = useState("");
  const part = typed.trim();
  const last = useTyped(of.isPart(part) ? part : null, of.find);
  // Nor for words that do not stand in the field any more.
  const all = !isOff && last && last.words === value.trim() ? of.suggest(last.found, text) : [];
  const isShown = isOpen && all.length > 0;
  const { input, list, option, reset } = useListBox({
    all,
    isOpen,
    isShown,
    open,
    take: (one) => change(one.value),
  });
  return (
    <div class={isWide ? "player-field wide-field" : "player-field"}>
      <label class="field">
        <span>{label}</span>
        <input
          type="text"
          {...input}
          value={isOff ? "" : value}
          placeholder={example}
          readOnly={isOff}
          aria-disabled={isOff}
          onBlur={() => open(false)}
          onInput={({ currentTarget: { value } }) => {
            open(true);
            reset();
            setTyped(value);
            type(value);
          }}
          onChange={(event) => change(event.currentTarget.value)}
        />
      </label>
      {isShown && <SuggestionList label={label} all={all} list={list} option={option} />}
    </div>
  );
}
