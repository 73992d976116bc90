/**
 * The home page: a new game, one's own games and invitations, and a way to a game by its code.
 *
 * The lobby (seeks, pools, live games) will stand here once the server has one; until then there is no trace of it.
 */
import { useEffect, useState } from "preact/hooks";
import { type Game, seatOf } from "../../state/game";
import { idOf } from "../../state/setup";
import { showControl, showResult } from "../../text/words";
import { useApp, useStore, useText } from "../context";
import { termsOf } from "../game/ChallengePage";
import { PageLink } from "../HomeLink";
import { NewGame } from "./NewGame";

export function Home() {
  const app = useApp();
  const text = useText();
  useEffect(() => {
    document.title = text.site.title;
  }, [text]);
  const games = Object.values(app.games).filter((game) => seatOf(game, app.account) !== null);
  games.sort((a, b) => Number(b.phase === "playing") - Number(a.phase === "playing") || b.began - a.began);
  const challenges = Object.values(app.challenges);
  return (
    <main id="content" class="home">
      <div class="lead">
        <h1>{text.home.headline}</h1>
        <p>{text.home.lead}</p>
      </div>
      <NewGame />
      <div class="beside">
        {challenges.length > 0 && (
          <section class="card" aria-label={text.home.yourChallenges}>
            <h2>{text.home.yourChallenges}</h2>
            <ul class="list">
              {challenges.map((challenge) => (
                <li key={challenge.challenge}>
                  <PageLink to={{ at: "game", id: challenge.challenge }}>{termsOf(text, challenge)}</PageLink>
                </li>
              ))}
            </ul>
          </section>
        )}
        <section class="card" aria-label={text.home.yourGames}>
          <h2>{text.home.yourGames}</h2>
          {games.length === 0 ? <p class="quiet">{text.home.noGames}</p> : <ul class="list">{games.map((game) => <OwnGame key={game.id} game={game} account={app.account} />)}</ul>}
        </section>
        <ByLink />
      </div>
    </main>
  );
}

function OwnGame({ game, account }: { game: Game; account: string | null }) {
  const text = useText();
  const seat = seatOf(game, account);
  const opponent = game.players[seat === "white" ? "black" : "white"].name;
  const state = game.outcome ? showResult(text, game.outcome, seat) : game.turn ? text.home.yourMove : text.home.theirMove;
  return (
    <li>
      <PageLink to={{ at: "game", id: game.id }}>{opponent}</PageLink>
      <span class="quiet"> · {showControl(text, game.control)} · </span>
      <span class={game.turn ? "now" : "quiet"}>{state}</span>
    </li>
  );
}

function ByLink() {
  const store = useStore();
  const text = useText();
  const [value, setValue] = useState("");
  const open = (event: Event): void => {
    event.preventDefault();
    const id = idOf(value);
    if (id) store.navigate({ at: "game", id });
    else store.notice("error", text.home.badCode);
  };
  return (
    <form class="card by-link" onSubmit={open} aria-label={text.home.byLink}>
      <h2>{text.home.byLink}</h2>
      <div class="row">
        <input class="grow" type="text" autocomplete="off" autocapitalize="off" spellcheck={false} aria-label={text.home.code} placeholder={text.home.code} value={value} onInput={(event) => setValue(event.currentTarget.value)} />
        <button type="submit">{text.home.go}</button>
      </div>
    </form>
  );
}
