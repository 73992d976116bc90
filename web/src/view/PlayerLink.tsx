/** A player's name, leading to that player's page. By the account: names change, and somebody else may take them. */
import type { PlayerView } from "#protocol";
import { useText } from "./context";

export function PlayerLink({ player }: { player: PlayerView }) {
  const text = useText();
  return (
    <a class="who" href={`/@/${player.account}`} title={text.play.player.page(player.name)}>
      {player.name}
    </a>
  );
}
