/**
 * The search for a player: a suggestion, a name, or the beginning of just one name leads to the player's page; a name that no
 * account can have, and the beginning of several names without accounts, to the games with it.
 */
import { useState } from "preact/hooks";
import { whoIsMeant } from "../../net/find";
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
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const typed = name.trim();
    const { one, others } = await whoIsMeant(typed);
    const hasNoAccount = others.length > 0 && others.every((other) => typeof other === "string");
    if (typeof one === "string") store.navigate(gamesOfName(one));
    else if (hasNoAccount) store.navigate(gamesOfName(typed));
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
