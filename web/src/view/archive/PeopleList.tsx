/**
 * Players whom the beginning of a name may mean: whether each is here, the rating that says most, and the way to their games. Of a
 * player without an account these are all there is.
 */
import { type Route, gamesOfName } from "../../state/route";
import { type Somebody, keyOf } from "../../state/suggestions";
import { useText } from "../context";
import { useLoaded } from "../fetched";
import { PageLink } from "../HomeLink";
import { PresenceMark } from "../people/PresenceMark";
import { NameLink } from "../PlayerLink";
import { ratingsOf } from "./found";
import { aboutPlayer } from "./SuggestionList";

interface Props {
  readonly people: readonly Somebody[];
  /** Where the games of a name are listed. */
  gamesOf?(name: string): Route;
}

export function PeopleList({ people, gamesOf = gamesOfName }: Props) {
  const text = useText();
  const { archive, lobby } = text;
  const accounts = people.flatMap((one) => (typeof one === "string" ? [] : [one.account]));
  const { fetched } = useLoaded(() => ratingsOf(accounts), accounts.join());
  return (
    <ul class="people-list">
      {people.map((one) => (
        <li key={keyOf(one)}>
          {typeof one === "string" ? (
            <>
              <PageLink to={gamesOf(one)}>{one}</PageLink>
              <span class="about">{archive.imported}</span>
            </>
          ) : (
            <>
              <NameLink player={one} />
              <span class="about">
                <PresenceMark presence={one.here ? "here" : "away"}>{one.here ? lobby.here : lobby.away}</PresenceMark>{" "}
                {fetched.state === "there" && aboutPlayer(text, one, fetched.value)}
              </span>
              <PageLink class="games-of" to={gamesOf(one.name)} label={archive.of(one.name)}>
                {archive.title}
              </PageLink>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
