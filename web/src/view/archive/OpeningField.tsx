/**
 * The field for an opening, by its name or its moves. It suggests names while one types, with the moves of each; the browser
 * shows them as it shows suggestions everywhere. One that is chosen counts at once.
 */
import { useEffect, useState } from "preact/hooks";
import type { FoundOpening } from "#protocol";
import { findOpenings } from "../../net/openings";
import { areMoves } from "../../state/gameFilter";
import { showSan } from "../../text/words";
import { useText } from "../context";

/** Whoever types quickly asks once. */
const TYPED_MS = 150;

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
  const openings = useOpenings(typed);
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

/** What the server finds; what it found last stays until the next answer. */
function useOpenings(typed: string): readonly FoundOpening[] {
  const [found, set] = useState<readonly FoundOpening[]>([]);
  const part = typed.trim();
  useEffect(() => {
    if (part.length < 2 || areMoves(part)) return;
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const answer = await findOpenings(part);
      if (isCurrent && answer.kind === "there") set(answer.value.openings);
    }, TYPED_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [part]);
  return found;
}
