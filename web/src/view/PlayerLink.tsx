/** A player's name that leads to the player's page. By the account: a name may be somebody else's tomorrow. */
import type { PlayerView } from "#protocol";
import { PageLink } from "./HomeLink";

export function PlayerLink({ player }: { player: PlayerView }) {
  return (
    <PageLink class="player-link" to={{ at: "player", who: player.account }}>
      {player.name}
    </PageLink>
  );
}
