/**
 * The page of a name that nobody has: players whose names begin like it, the search with the name in it, for a slip of the
 * keyboard, and the way to games with the name, which a player of imported games may have. The names of guests who have chosen none are only shown, and nobody is found by them.
 */
import type { FoundPlayer } from "#protocol";
import { findPlayers } from "../../net/find";
import { gamesOfName } from "../../state/route";
import { beginningsOf, isGuestName } from "../../state/suggestions";
import { useText } from "../context";
import { HomeLink, PageLink } from "../HomeLink";
import { FindPlayer } from "../home/FindPlayer";
import { NameLink } from "../PlayerLink";
import { useLoaded } from "../fetched";

export function NoPlayer({ who }: { readonly who: string }) {
  const { archive, home, lobby, site } = useText();
  const isGuest = isGuestName(who);
  const { fetched } = useLoaded(() => playersNear(who), who);
  const near = fetched.state === "there" ? fetched.value : [];
  return (
    <main id="content" class="narrow">
      <div class="card no-player">
        <h1>{isGuest ? home.find.guests : lobby.noPlayer}</h1>
        <p>{isGuest ? home.find.guestsAbout : lobby.noPlayerText}</p>
        {near.length > 0 && (
          <>
            <p>{home.find.near}</p>
            <ul>
              {near.map((player) => (
                <li key={player.account}>
                  <NameLink player={player} />
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      <FindPlayer key={who} typed={who} />
      {!isGuest && <PageLink to={gamesOfName(who)}>{archive.of(who)}</PageLink>}
      <HomeLink>{site.toHome}</HomeLink>
    </main>
  );
}

/** Of the longest beginning that some name has. */
async function playersNear(who: string): Promise<readonly FoundPlayer[]> {
  for (const beginning of beginningsOf(who)) {
    const found = await findPlayers(beginning);
    if (found.kind === "there" && found.value.players.length > 0) return found.value.players;
  }
  return [];
}
