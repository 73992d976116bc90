/**
 * The search for a player: a suggestion, a name, or the beginning of just one name leads to the player's page; a name that no
 * account can have, and the beginning of several names without accounts, to the games with it.
 */
import { useState } from "preact/hooks";
import { type FoundPeople, findPeople } from "../../net/find";
import { gamesOfName } from "../../state/route";
import { type Somebody, isWhole, meant } from "../../state/suggestions";
import { useApp, useStore, useText } from "../context";
import { PlayerField } from "../people/PlayerField";
import { lastOpponents } from "./recent";

interface Props {
  /** What stands in the field at first. */
  readonly typed?: string;
}

const NOBODY: FoundPeople = { players: [], names: [] };

export function FindPlayer({ typed = "" }: Props) {
  const store = useStore();
  const account = useApp((app) => app.account);
  const { find } = useText().home;
  const [name, set] = useState(typed);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const typed = name.trim();
    const found = typed.length > 1 ? await findPeople(typed) : null;
    const { players, names } = found?.kind === "there" ? found.value : NOBODY;
    const one = meant<Somebody>(typed, [...players, ...names]);
    if (typeof one === "string") store.navigate(gamesOfName(one));
    else if (!one && players.length === 0 && names.length > 0) store.navigate(gamesOfName(typed));
    else if (one || isWhole(typed)) store.navigate({ at: "player", who: one?.account ?? typed });
    // A player of imported games may have any name.
    else if (typed !== "") store.navigate(gamesOfName(typed));
  };
  return (
    <form class="card find-player" role="search" onSubmit={(event) => void submit(event)}>
      <PlayerField
        label={find.label}
        value={name}
        known={lastOpponents(account)}
        input={set}
        choose={(player) => store.navigate({ at: "player", who: player.account })}
        chooseName={(name) => store.navigate(gamesOfName(name))}
      />
      <button type="submit">{find.go}</button>
    </form>
  );
}
