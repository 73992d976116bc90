/**
 * The dialog to challenge a player, with the terms of the last game of both, else of the pool that was joined last. Whether
 * it is to be rated is as it was chosen last; against a guest or a bot no game is.
 */
import { useEffect } from "preact/hooks";
import type { PlayedGame, Player } from "#protocol";
import { setupOf, setupOfPool } from "../../state/setup";
import { useApp, useText } from "../context";
import { Dialog } from "../Dialog";
import { NewGame } from "../home/NewGame";

interface Props {
  readonly player: Player;
  readonly last: PlayedGame | null;
  close(): void;
}

export function ChallengeDialog({ player, last, close }: Props) {
  const pool = useApp((app) => app.settings.pool);
  const text = useText();
  // The clock that is chosen, not the first of all.
  useEffect(() => document.querySelector<HTMLElement>(".challenge-dialog [aria-pressed=true]")?.focus(), []);
  return (
    <Dialog title={text.lobby.challengePlayer(player.name)} class="challenge-dialog" closesBeside close={close}>
      <NewGame
        to={player}
        isRatable={player.made !== undefined && !player.bot}
        first={{ ...(last ? setupOf(last) : setupOfPool(pool)), audience: "player" }}
        close={close}
      />
    </Dialog>
  );
}
