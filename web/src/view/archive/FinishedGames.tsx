/** The finished games of a player: filters, how many fit, the games newest first, older ones on request, all as PGN. */
import type { AccountId, GameCount, GameCounts } from "#protocol";
import { useStore, useText } from "../context";
import { Filters } from "./Filters";
import { GameRows } from "./GameRows";
import { type SearchError, useGames } from "./games";

export function FinishedGames({ account }: { readonly account: AccountId }) {
  const store = useStore();
  const text = useText();
  const { archive, lobby } = text;
  const { state, games, next, counts, error, query, search, more, again } = useGames(account);
  const older = async (): Promise<void> => {
    const count = await more();
    if (count > 0) store.say(`${lobby.older}: ${count}`);
  };
  const words =
    state === "loading" ? lobby.loading : state === "failed" ? (error ? wrong(text, error) : lobby.failed) : "";
  return (
    <section class="card played" aria-labelledby="played-title">
      <h2 id="played-title">{lobby.playedGames}</h2>
      <Filters search={search} />
      <p class="counts" role="status">
        {state === "there" && (counts ? countWords(text, counts) : "")}
      </p>
      {state === "there" && games.length === 0 && next === undefined && <p class="quiet">{archive.none}</p>}
      {games.length > 0 && <GameRows games={games} account={account} />}
      <p role={state === "failed" ? "alert" : "status"} class="quiet">
        {words}
      </p>
      <div class="row">
        {state === "failed" && (
          <button type="button" onClick={again}>
            {lobby.again}
          </button>
        )}
        {state === "there" && next !== undefined && (
          <button type="button" onClick={() => void older()}>
            {lobby.older}
          </button>
        )}
        {games.length > 0 && (
          <a class="button" href={`/api/games/export?${query}&format=pgn`} download="games.pgn">
            {archive.download}
          </a>
        )}
      </div>
    </section>
  );
}

function countWords(text: ReturnType<typeof useText>, counts: GameCounts): string {
  const { archive } = text;
  const show = (count: GameCount): string =>
    typeof count === "number"
      ? count.toLocaleString(text.tag)
      : archive.atLeast(count.at_least.toLocaleString(text.tag));
  const { games, white_wins, black_wins, draws, others } = counts;
  const words = archive.counts(show(games), show(white_wins), show(black_wins), show(draws), show(others));
  return counts.indexing ? `${words} ${archive.indexing}` : words;
}

function wrong({ archive, lobby, analysis }: ReturnType<typeof useText>, error: SearchError): string {
  switch (error.why) {
    case "opening":
      return archive.badOpening;
    case "moves":
      return archive.longOpening;
    case "later":
      return analysis.later(error.seconds);
    case "rejected":
      return `${archive.rejected} ${error.message}`;
    case "failed":
      return lobby.failed;
  }
}
