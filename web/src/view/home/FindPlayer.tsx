/**
 * The search for a player: a suggestion, or a name as it was typed, leads to the player's page; a name that no account can have,
 * to the games with it.
 */
import { useState } from "preact/hooks";
import { gamesOfName } from "../../state/route";
import { isWhole } from "../../state/suggestions";
import { useApp, useStore, useText } from "../context";
import { PlayerField } from "../people/PlayerField";
import { lastOpponents } from "./recent";

interface Props {
  /** What stands in the field at first. */
  readonly typed?: string;
}

export function FindPlayer({ typed = "" }: Props) {
  const store = useStore();
  const account = useApp((app) => app.account);
  const { find } = useText().home;
  const [name, set] = useState(typed);
  const submit = (event: Event): void => {
    event.preventDefault();
    const typed = name.trim();
    if (isWhole(typed)) store.navigate({ at: "player", who: typed });
    // A player of imported games may have any name.
    else if (typed !== "") store.navigate(gamesOfName(typed));
  };
  return (
    <form class="card find-player" role="search" onSubmit={submit}>
      <PlayerField
        label={find.label}
        value={name}
        known={lastOpponents(account)}
        isSearch
        input={set}
        choose={(player) => store.navigate({ at: "player", who: player.account })}
      />
      <button type="submit">{find.go}</button>
    </form>
  );
}
