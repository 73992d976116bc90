/**
 * One field at the head of the games of everybody while the form is folded: a player or an opening, whose games it leads to.
 * What else is looked for stays.
 */
import { useState } from "preact/hooks";
import { useText } from "../context";
import { whichOf } from "./either";
import { EitherField } from "./SuggestedField";

interface Props {
  search(condition: { readonly player: string } | { readonly opening: string }): void;
}

export function QuickSearch({ search }: Props) {
  const { playerOrOpening } = useText().archive;
  const [typed, type] = useState("");
  const look = async (words: string): Promise<void> => {
    const value = words.trim();
    if (value === "") return;
    const isOpening = (await whichOf(value)) === "opening";
    // From now on it stands among the conditions.
    type("");
    search(isOpening ? { opening: value } : { player: value });
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
