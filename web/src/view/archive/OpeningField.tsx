/**
 * The field for an opening, by its name or its moves. It suggests names while one types, with the moves of each; the browser
 * shows them as it shows suggestions everywhere. One that is chosen counts at once.
 */
import { useState } from "preact/hooks";
import { findOpenings } from "../../net/find";
import { areMoves } from "../../state/gameFilter";
import { showSan } from "../../text/words";
import { useText } from "../context";
import { useTyped } from "../form/typed";

interface Props {
  readonly value: string;
  type(value: string): void;
  /** The value counts from now on. */
  change(value: string): void;
}

export function OpeningField({ value, type, change }: Props) {
  const text = useText();
  const { archive } = text;
  // Nothing is suggested for a name that has come with the address.
  const [typed, setTyped] = useState("");
  const part = typed.trim();
  const openings = useTyped(part.length < 2 || areMoves(part) ? null : part, findOpenings)?.found.openings ?? [];
  return (
    <>
      <label class="field typed-field">
        <span>{archive.opening}</span>
        <input
          type="text"
          list="openings"
          value={value}
          placeholder={archive.examples.opening}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget: { value } }) => {
            setTyped(value);
            (openings.some(({ name }) => name === value) ? change : type)(value);
          }}
          onChange={(event) => change(event.currentTarget.value)}
        />
      </label>
      <datalist id="openings">
        {openings.map(({ name, moves }) => (
          <option key={name} value={name} lang="en">
            {showSan(text, moves)}
          </option>
        ))}
      </datalist>
    </>
  );
}
