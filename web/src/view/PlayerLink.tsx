/**
 * A player's name that leads to the player's page, the rating, and whether a program plays; of the server's own opponent how
 * strong it is, as its few rated games say nothing. By the account: a name may be somebody else's tomorrow. A player of a
 * game that was imported has no account, and so no page: the name leads to the games with it.
 */
import type { PlayerView } from "#protocol";
import { levelOf, ratingOf } from "../state/computer";
import { isNobody } from "../state/people";
import { gamesOfName } from "../state/route";
import { useText } from "./context";
import { PageLink } from "./HomeLink";

export function PlayerLink({ player }: { player: PlayerView }) {
  return (
    <>
      <NameLink player={player} />
      <Strength player={player} />
    </>
  );
}

/** The name alone. */
export function NameLink({ player }: { player: PlayerView }) {
  if (isNobody(player.account)) {
    return (
      <PageLink class="player-link" to={gamesOfName(player.name)}>
        {player.name}
      </PageLink>
    );
  }
  return (
    <PageLink class="player-link" to={{ at: "player", who: player.account }}>
      {player.name}
    </PageLink>
  );
}

export function Strength({ player }: { player: PlayerView }) {
  const text = useText();
  const level = levelOf(player);
  return (
    <>
      {level !== null && <span class="player-rating"> {text.lobby.computer.rating(ratingOf(level))}</span>}
      {level === null && player.rating !== undefined && (
        <RatingOf points={player.rating} isProvisional={player.provisional === true} />
      )}
      {level === null && player.bot && <span class="bot-mark"> {text.game.bot}</span>}
    </>
  );
}

/** A rating after a name. */
export function RatingOf({ points, isProvisional }: { points: number; isProvisional: boolean }) {
  const { rating, ratingInWords } = useText().people;
  return (
    <span class="player-rating" title={ratingInWords(points, isProvisional)}>
      {" "}
      <span aria-hidden="true">{rating(points, isProvisional)}</span>
      <span class="visually-hidden">{ratingInWords(points, isProvisional)}</span>
    </span>
  );
}
