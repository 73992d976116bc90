/**
 * How one stands, in a line of the head that leads to one's own page: the rating after the last rated game, and how the last
 * games went that changed it, the latest first, or without one the last games; as many as fit. All of it is from the games that
 * the home page has read anyway; until then the line has no words, so that nothing moves.
 */
import { speedOf } from "../../state/lobby";
import type { RecentGame } from "../../state/recentGames";
import { useApp, useText } from "../context";
import { PageLink } from "../HomeLink";

/** Enough to say how it goes; a narrow phone has room for two. */
const GAMES = 3;

export function OwnLine({ games }: { readonly games: readonly RecentGame[] }) {
  const { archive, home, lobby } = useText();
  const account = useApp((app) => app.account);
  const rated = games.find(({ step }) => step !== null);
  const ratingOf = ({ format }: RecentGame): string =>
    format.variant === "chess960" ? lobby.chess960 : lobby.speeds[speedOf(format.time_control)];
  const told = games.filter((game) => !rated || (game.step !== null && ratingOf(game) === ratingOf(rated)));
  if (account === null || games.length === 0) return <p>{"\u00a0"}</p>;
  return (
    <p>
      <PageLink class="own-line" to={{ at: "player", who: account, games: true }}>
        {rated && (
          <strong>
            {ratingOf(rated)} {rated.step?.after}
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
