/** Own games: those in progress with boards and clocks, and those whose end was not seen yet. */
import { type Game, seatOf } from "zeitnot-client";
import { formatOf } from "../../text/terms";
import { showResult } from "../../text/words";
import { MiniBoard } from "../board/MiniBoard";
import { other } from "../../chess/square";
import { useStore, useText } from "../context";
import { PageLink } from "../HomeLink";
import { OwnClocks } from "./OwnClocks";

interface Props {
  readonly games: readonly Game[];
  readonly account: string | null;
}

/** Games in progress besides the one that the first button leads to; those with the player to move first. */
export function GamesInProgress({ games, account }: Props) {
  const text = useText();
  const live = [...games].sort((a, b) => Number(b.turn !== null) - Number(a.turn !== null) || b.began - a.began);
  if (live.length === 0) return null;
  return (
    <section class="card own-games" aria-label={text.home.yourGames}>
      <h2>{text.home.yourGames}</h2>
      <ul>
        {live.map((game) => (
          <li key={game.id}>
            <LiveOwnGame game={game} account={account} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Games that ended while the player was on another page, until they are looked at or put away. */
export function UnseenEnds({ games, account }: Props) {
  const store = useStore();
  const text = useText();
  if (games.length === 0) return null;
  return (
    <section class="card unseen-ends" aria-label={text.calls.endedTitle}>
      <ul class="list">
        {games.map((game) => {
          const seat = seatOf(game, account) ?? "white";
          const words = text.calls.ended(
            game.players[other(seat)].name,
            game.outcome ? showResult(text, game.outcome, seat) : "",
          );
          return (
            <li key={game.id} class="challenge-row">
              <div class="seek-words">
                <PageLink to={{ at: "game", id: game.id }}>{words}</PageLink>
              </div>
              <div class="row">
                <button
                  type="button"
                  aria-label={`${text.lobby.dismiss}: ${words}`}
                  onClick={() => store.told(game.id)}
                >
                  {text.lobby.dismiss}
                </button>
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function LiveOwnGame({ game, account }: { game: Game; account: string | null }) {
  const text = useText();
  const seat = seatOf(game, account) ?? "white";
  const opponent = game.players[seat === "white" ? "black" : "white"].name;
  const state = game.turn ? text.home.yourMove : text.home.theirMove;
  return (
    <PageLink class="own-game" to={{ at: "game", id: game.id }}>
      <MiniBoard fen={game.fen} last={game.plies[game.plies.length - 1]?.uci} bottom={seat} />
      <span class="own-words">
        <span class="live-name">
          <span class="visually-hidden">{text.lobby.returnTo}</span>
          {opponent}
        </span>{" "}
        <span class="quiet">
          {formatOf(text, { rated: game.isRated, variant: game.variant, time_control: game.control })}
        </span>{" "}
        <span>
          <span class={game.turn ? "now" : "quiet"}>{state}</span>
          <OwnClocks game={game} seat={seat} />
        </span>
      </span>
    </PageLink>
  );
}
