/**
 * A player's name that leads to the player's page, and whether a program plays. By the account: a name may be somebody
 * else's tomorrow. A player of a game that was imported has no account, and so no page.
 */
import type { PlayerView } from "#protocol";
import { useText } from "./context";
import { PageLink } from "./HomeLink";

/** The account of players who have none. */
const NOBODY = /^[0-]+$/;

export function PlayerLink({ player }: { player: PlayerView }) {
  const text = useText();
  return (
    <>
      {NOBODY.test(player.account) ? (
        <span>{player.name}</span>
      ) : (
        <PageLink class="player-link" to={{ at: "player", who: player.account }}>
          {player.name}
        </PageLink>
      )}
      {player.bot && <span class="bot-mark"> {text.game.bot}</span>}
    </>
  );
}
