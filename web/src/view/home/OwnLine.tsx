/**
 * How one stands, in a line of the head that leads to one's own page: the rating after the last rated game, and how the last
 * games went that changed it, the latest first, or without one the last games; as many as fit. All of it is from the games that
 * the home page has read anyway; until then the line has no words, so that nothing moves.
 */
import { categoryOf } from "../../state/ratings";
import type { RecentGame } from "../../state/recentGames";
import { useApp, useText } from "../context";
import { PageLink } from "../HomeLink";

/** Enough to say how it goes; a narrow phone has room for two. */
const GAMES = 3;

export function OwnLine({ games }: { readonly games: readonly RecentGame[] }) {
  const { account: words, archive, home } = useText();
  const account = useApp((app) => app.account);
  const rated = games.find(({ step }) => step !== null);
  const category = rated ? categoryOf(rated.format) : null;
  const told = rated ? games.filter(({ step, format }) => step !== null && categoryOf(format) === category) : games;
  if (account === null || games.length === 0) return <p>{"\u00a0"}</p>;
  return (
    <p>
      <PageLink class="own-line" to={{ at: "player", who: account, games: true }}>
        {rated && category && (
          <strong>
            {words.categories[category]} {rated.step?.after}
          </strong>
        )}
        <span class="visually-hidden"> {home.recent}: </span>
        {told.slice(0, GAMES).map(({ id, fate }) => (
          <span key={id} class={`fate-mark ${fate}`}>
            {archive.fates[fate]}{" "}
          </span>
        ))}
      </PageLink>
    </p>
  );
}
