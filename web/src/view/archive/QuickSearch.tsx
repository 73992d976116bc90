/**
 * One field at the head of the games of everybody while the form is folded: a player or an opening, whose games it leads to.
 * What else is looked for stays. Whoever has gone on before it is known which of the two it is, or types something else, is led
 * nowhere.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { useText } from "../context";
import { type Condition, conditionOf } from "./either";
import { EitherField } from "./SuggestedField";

interface Props {
  search(condition: Condition): void;
}

export function QuickSearch({ search }: Props) {
  const { playerOrOpening } = useText().archive;
  const [typed, set] = useState("");
  /** The words in the field; null when it is gone. */
  const words = useRef<string | null>("");
  /** With the other conditions as they are now. */
  const latest = useRef(search);
  latest.current = search;
  useEffect(
    () => () => {
      words.current = null;
    },
    [],
  );
  const type = (value: string): void => {
    words.current = value;
    set(value);
  };
  const look = async (value: string): Promise<void> => {
    const condition = await conditionOf(value, () => words.current === value);
    if (!condition) return;
    // From now on it stands among the conditions.
    type("");
    latest.current(condition);
  };
  return (
    <form class="quick-search" role="search" onSubmit={(event) => event.preventDefault()}>
      <EitherField
        name="quick"
        label={playerOrOpening}
        example={playerOrOpening}
        value={typed}
        type={type}
        change={(value) => {
          type(value);
          void look(value);
        }}
      />
    </form>
  );
}
