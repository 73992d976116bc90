/**
 * The dialog to challenge a player. Whether the game is to be rated is as it was chosen last, and at first as in a pool: of
 * two registered players it is. Against a guest or a bot none is.
 */
import type { Player } from "#protocol";
import { isRatable } from "../../state/people";
import { type Setup, setupOfPool } from "../../state/setup";
import { useApp, useText } from "../context";
import { Dialog } from "../Dialog";
import { NewGame, useFocusOnClock } from "../home/NewGame";

interface Props {
  readonly player: Player;
  /** The terms with which the form begins; without any, with the clock of the pool that was joined last. */
  readonly first: Setup | null;
  close(): void;
}

export function ChallengeDialog({ player, first, close }: Props) {
  const text = useText();
  const usual = { ...setupOfPool(useApp((app) => app.settings.pool)), rated: true };
  useFocusOnClock();
  return (
    <Dialog title={text.lobby.challengePlayer(player.name)} class="challenge-dialog" closesBeside close={close}>
      <NewGame
        to={player}
        isRatable={isRatable(player)}
        first={{ ...(first ?? usual), audience: "player" }}
        close={close}
      />
    </Dialog>
  );
}
