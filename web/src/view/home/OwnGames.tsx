/** One's own games to return to: those in progress with their boards, then those that ended while this page was open. */
import { type Game, seatOf } from "../../state/game";
import { showControl, showResult } from "../../text/words";
import { MiniBoard } from "../board/MiniBoard";
import { useApp, useText } from "../context";
import { PageLink } from "../HomeLink";

export function OwnGames() {
  const app = useApp();
  const text = useText();
  const games = Object.values(app.games).filter((game) => seatOf(game, app.account) !== null);
  games.sort((a, b) => Number(b.turn !== null) - Number(a.turn !== null) || b.began - a.began);
  const live = games.filter((game) => game.phase !== "ended");
  const ended = games.filter((game) => game.phase === "ended");
  if (games.length === 0) return null;
  return (
    <section class="card own" aria-label={text.home.yourGames}>
      <h2>{text.home.yourGames}</h2>
      {live.length > 0 && (
        <ul class="live-boards">
          {live.map((game) => (
            <li key={game.id}>
              <LiveOwnGame game={game} account={app.account} />
            </li>
          ))}
        </ul>
      )}
      {ended.length > 0 && (
        <ul class="list">
          {ended.map((game) => (
            <EndedGame key={game.id} game={game} account={app.account} />
          ))}
        </ul>
      )}
    </section>
  );
}

function LiveOwnGame({ game, account }: { game: Game; account: string | null }) {
  const text = useText();
  const seat = seatOf(game, account) ?? "white";
  const opponent = game.players[seat === "white" ? "black" : "white"].name;
  const state = game.turn ? text.home.yourMove : text.home.theirMove;
  return (
    <PageLink class="live-card" label={text.lobby.returnTo(opponent, state)} to={{ at: "game", id: game.id }}>
      <span class="live-player">
        <span class="live-name">{opponent}</span>
      </span>
      <MiniBoard fen={game.fen} last={game.plies[game.plies.length - 1]?.uci} bottom={seat} />
      <span class={game.turn ? "now" : "quiet"}>{state}</span>
      <span class="quiet live-terms">{showControl(text, game.control)}</span>
    </PageLink>
  );
}

function EndedGame({ game, account }: { game: Game; account: string | null }) {
  const text = useText();
  const seat = seatOf(game, account);
  const opponent = game.players[seat === "white" ? "black" : "white"].name;
  return (
    <li>
      <PageLink to={{ at: "game", id: game.id }}>{opponent}</PageLink>
      <span class="quiet">
        {" "}
        · {showControl(text, game.control)} · {game.outcome && showResult(text, game.outcome, seat)}
      </span>
    </li>
  );
}
