/** How one stands against another player, on that player's page and on an invitation. */
import type { AccountId, PlayerView } from "#protocol";
import { NO_FILTER } from "../../state/gameFilter";
import { showPoints } from "../../text/words";
import { useText } from "../context";
import { PageLink } from "../HomeLink";
import { type Encounters, useEncounters } from "./encounters";
import type { Fetched } from "../fetched";

interface Props {
  readonly own: AccountId;
  readonly player: Pick<PlayerView, "account" | "name">;
}

/**
 * With the way to these games among one's own. Of too many to count nothing is said, and the line keeps its place until it is
 * known.
 */
export function Score({ fetched, own, player }: Props & { readonly fetched: Fetched<Encounters> }) {
  const { people } = useText();
  const { games, others, won, lost, drawn } = (fetched.state === "there" ? fetched.value.tally : null) ?? {};
  const isKnown = typeof won === "number" && typeof lost === "number" && typeof drawn === "number";
  if (!isKnown || typeof games !== "number" || typeof others !== "number")
    return <p class="score quiet">{fetched.state === "missing" ? people.neverMet : "\u00a0"}</p>;
  return (
    <p class="score">
      {people.score(showPoints(won + drawn / 2), showPoints(lost + drawn / 2), player.name)}{" "}
      <PageLink to={{ at: "player", who: own, games: true, filter: { ...NO_FILTER, opponent: player.name } }}>
        {people.met(games, others)}
      </PageLink>
    </p>
  );
}

/** The same where nothing else is asked of these games, below all that one presses: nothing of those who have played none. */
export function ScoreAgainst({ own, player }: Props) {
  const fetched = useEncounters(own, player.account);
  return fetched.state === "there" && <Score fetched={fetched} own={own} player={player} />;
}
