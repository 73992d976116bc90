/**
 * The search for a player: a suggestion, a name, or the beginning of just one name leads to the player's page; a name that no
 * account can have, to the games with it.
 */
import { useState } from "preact/hooks";
import { findPlayers } from "../../net/find";
import { gamesOfName } from "../../state/route";
import { isBeginning, isWhole, meant } from "../../state/suggestions";
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
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const typed = name.trim();
    const found = isBeginning(typed) ? await findPlayers(typed) : null;
    const one = found?.kind === "there" ? meant(typed, found.value.players) : null;
    if (one || isWhole(typed)) store.navigate({ at: "player", who: one?.account ?? typed });
    // A player of imported games may have any name.
    else if (typed !== "") store.navigate(gamesOfName(typed));
  };
  return (
    <form class="card find-player" role="search" onSubmit={(event) => void submit(event)}>
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
