/**
 * The page of a name that nobody has: players whose names begin so, or nearly so, the search with the name in it, for a slip
 * of the keyboard, and the way to games with the name, which a player of imported games may have. The names of guests who
 * have chosen none are only shown, and nobody is found by them.
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
  const { archive, home, lobby, people, site } = useText();
  const isGuest = isGuestName(who);
  const { fetched } = useLoaded(() => playersNear(who), who);
  const { beginning, players } = fetched.state === "there" ? fetched.value : NOBODY;
  return (
    <main id="content" class="narrow">
      <div class="card no-player">
        {fetched.state === "loading" ? (
          <h1>{lobby.loading}</h1>
        ) : beginning === who ? (
          <h1>{people.beginning(who)}</h1>
        ) : (
          <>
            <h1>{isGuest ? home.find.guests : lobby.noPlayer}</h1>
            <p>{isGuest ? home.find.guestsAbout : lobby.noPlayerText}</p>
            {players.length > 0 && <p>{home.find.near}</p>}
          </>
        )}
        {players.length > 0 && (
          <ul>
            {players.map((player) => (
              <li key={player.account}>
                <NameLink player={player} />
              </li>
            ))}
          </ul>
        )}
      </div>
      <FindPlayer key={who} typed={who} />
      {!isGuest && <PageLink to={gamesOfName(who)}>{archive.of(who)}</PageLink>}
      <HomeLink>{site.toHome}</HomeLink>
    </main>
  );
}

interface Near {
  /** How all of their names begin. */
  readonly beginning: string;
  readonly players: readonly FoundPlayer[];
}

const NOBODY: Near = { beginning: "", players: [] };

/** Of the longest beginning that some name has. */
async function playersNear(who: string): Promise<Near> {
  for (const beginning of beginningsOf(who)) {
    const found = await findPlayers(beginning);
    if (found.kind === "there" && found.value.players.length > 0) return { beginning, players: found.value.players };
  }
  return NOBODY;
}
