/**
 * The page of a name that nobody has: players whose names begin so, or nearly so, the search with the name in it, for a slip
 * of the keyboard, and, unless it begins the names that are listed, the way to games with it, which a player of imported games may
 * have. The names of guests who have chosen none are only shown, and nobody is found by them.
 */
import { findPeople } from "../../net/find";
import { gamesOfName } from "../../state/route";
import { type Somebody, beginningsOf, isGuestName } from "../../state/suggestions";
import { PeopleList } from "../archive/PeopleList";
import { useText } from "../context";
import { HomeLink, PageLink } from "../HomeLink";
import { FindPlayer } from "../home/FindPlayer";
import { useLoaded } from "../fetched";

export function NoPlayer({ who }: { readonly who: string }) {
  const { archive, home, lobby, people, site } = useText();
  const isGuest = isGuestName(who);
  const { fetched } = useLoaded(() => playersNear(who), who);
  const { beginning, people: near } = fetched.state === "there" ? fetched.value : NOBODY;
  const isBeginning = beginning === who;
  return (
    <main id="content" class="narrow">
      <div class="card no-player">
        {fetched.state === "loading" ? (
          <h1>{lobby.loading}</h1>
        ) : isBeginning ? (
          <h1>{people.beginning(who)}</h1>
        ) : (
          <>
            <h1>{isGuest ? home.find.guests : lobby.noPlayer}</h1>
            <p>{isGuest ? home.find.guestsAbout : lobby.noPlayerText}</p>
            {near.length > 0 && <p>{home.find.near}</p>}
          </>
        )}
        {near.length > 0 && <PeopleList people={near} />}
      </div>
      <FindPlayer key={who} typed={who} />
      {!isGuest && !isBeginning && <PageLink to={gamesOfName(who)}>{archive.of(who)}</PageLink>}
      <HomeLink>{site.toHome}</HomeLink>
    </main>
  );
}

interface Near {
  /** How all of their names begin. */
  readonly beginning: string;
  readonly people: readonly Somebody[];
}

const NOBODY: Near = { beginning: "", people: [] };

/** Of the longest beginning that some name has: with an account, or without one where it is all of what was asked for. */
async function playersNear(who: string): Promise<Near> {
  for (const beginning of beginningsOf(who)) {
    const found = await findPeople(beginning);
    if (found.kind !== "there") continue;
    const people = [...found.value.players, ...(beginning === who ? found.value.names : [])];
    if (people.length > 0) return { beginning, people };
  }
  return NOBODY;
}
