/**
 * A field of the filters with suggestions while one types: openings with their moves, or players with whether they have an
 * account, or both. The browser shows them as it shows suggestions everywhere. One that is chosen counts at once.
 */
import { useState } from "preact/hooks";
import type { Answer } from "../../net/ask";
import { findOpenings, findPeople } from "../../net/find";
import { areMoves } from "../../state/gameFilter";
import type { Catalogue } from "../../text";
import { showSan } from "../../text/words";
import { useText } from "../context";
import { useTyped } from "../form/typed";
import { findEither } from "./either";

interface Suggestion {
  readonly value: string;
  /** Stands beside it in the list. */
  readonly about?: string;
}

interface Kind<T> {
  readonly find: (part: string) => Promise<Answer<T>>;
  /** Whether something may be found by what was typed. */
  readonly isPart: (typed: string) => boolean;
  readonly suggest: (found: T, text: Catalogue) => readonly Suggestion[];
  readonly lang?: string;
}

const kindOf = <T,>(kind: Kind<T>): Kind<T> => kind;

const OPENINGS = kindOf({
  find: findOpenings,
  isPart: (typed) => typed.length > 1 && !areMoves(typed),
  suggest: ({ openings }, text) => openings.map(({ name, moves }) => ({ value: name, about: showSan(text, moves) })),
  lang: "en",
});

const PLAYERS = kindOf({
  find: findPeople,
  isPart: (typed) => typed.length > 1,
  suggest: ({ players, names }, { account: { kinds }, archive }) => [
    ...players.map(({ name, bot }) => ({ value: name, about: bot ? kinds.bot : kinds.registered })),
    ...names.map((value) => ({ value, about: archive.imported })),
  ],
});

/** So many openings are suggested together with players. */
const OPENINGS_AMONG = 4;

const EITHER = kindOf({
  find: findEither,
  isPart: (typed) => typed.length > 1 && !areMoves(typed),
  suggest: ({ people, openings }, text) => [
    ...PLAYERS.suggest(people, text),
    ...OPENINGS.suggest(openings, text).slice(0, OPENINGS_AMONG),
  ],
});

interface Props {
  readonly name: string;
  readonly label: string;
  readonly example: string;
  readonly value: string;
  /** The field takes nothing; its example says why. */
  readonly isOff?: boolean;
  /** It has a row of its own on a phone. */
  readonly isWide?: boolean;
  /** Only its example says to the eye what it is for. */
  readonly isBare?: boolean;
  type(value: string): void;
  /** The value counts from now on. */
  change(value: string): void;
}

export const OpeningField = (props: Props) => <SuggestedField {...props} of={OPENINGS} isWide />;
export const PlayerNameField = (props: Props) => <SuggestedField {...props} of={PLAYERS} />;
export const EitherField = (props: Props) => <SuggestedField {...props} of={EITHER} isBare />;

interface OfKind<T> extends Props {
  readonly of: Kind<T>;
}

function SuggestedField<T>({
  name,
  label,
  example,
  value,
  isOff = false,
  isWide = false,
  isBare = false,
  type,
  change,
  of,
}: OfKind<T>) {
  const text = useText();
  // Nothing is suggested for what has come with the address.
  const [typed, setTyped] = useState("");
  const part = typed.trim();
  const last = useTyped(of.isPart(part) ? part : null, of.find);
  const suggestions = last ? of.suggest(last.found, text) : [];
  return (
    <>
      <label class={isWide ? "field wide-field" : "field"}>
        <span class={isBare ? "visually-hidden" : ""}>{label}</span>
        <input
          type="text"
          list={`${name}-suggestions`}
          value={isOff ? "" : value}
          placeholder={example}
          readOnly={isOff}
          aria-disabled={isOff}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget: { value } }) => {
            setTyped(value);
            (suggestions.some((one) => one.value === value) ? change : type)(value);
          }}
          onChange={(event) => change(event.currentTarget.value)}
        />
      </label>
      <datalist id={`${name}-suggestions`}>
        {suggestions.map(({ value, about }) => (
          <option key={value} value={value} lang={of.lang}>
            {about}
          </option>
        ))}
      </datalist>
    </>
  );
}
