/** The finished games of a player, newest first; older ones on request. */
import { useEffect, useState } from "preact/hooks";
import type { AccountId, PlayedGame, PlayedGames } from "#protocol";
import { other } from "../../chess/square";
import { getJson } from "../../net/api";
import { rowOf } from "../../state/played";
import { showControl, showPlayedOut } from "../../text/words";
import { useStore, useText } from "../context";
import { localeOf } from "../locale";
import { PageLink } from "../HomeLink";
import { PlayerLink } from "../PlayerLink";

interface Known {
  readonly games: readonly PlayedGame[];
  /** The cursor of the next page; undefined on the last one. */
  readonly next: string | undefined;
  readonly state: "loading" | "there" | "failed";
}

export function PlayedList({ account }: { account: AccountId }) {
  const store = useStore();
  const text = useText();
  const [known, set] = useState<Known>({ games: [], next: undefined, state: "loading" });
  const load = async (before: string | undefined): Promise<void> => {
    set((old) => ({ ...old, state: "loading" }));
    try {
      const query = before === undefined ? "" : `?before=${encodeURIComponent(before)}`;
      const page = await getJson<PlayedGames>(`/api/players/${account}/games${query}`);
      set((old) => ({ games: [...old.games, ...(page?.games ?? [])], next: page?.next, state: "there" }));
      if (before !== undefined && page) store.say(`${text.lobby.older}: ${page.games.length}`);
    } catch {
      set((old) => ({ ...old, next: before, state: "failed" }));
    }
  };
  useEffect(() => void load(undefined), [account]);
  return (
    <section class="card played" aria-labelledby="played-title">
      <h2 id="played-title">{text.lobby.playedGames}</h2>
      {known.state === "there" && known.games.length === 0 && <p class="quiet">{text.lobby.noPlayed}</p>}
      {known.games.length > 0 && <Games games={known.games} account={account} />}
      <p role="status" class="quiet">
        {known.state === "loading" ? text.lobby.loading : known.state === "failed" ? text.lobby.failed : ""}
      </p>
      {known.state !== "loading" && (known.next !== undefined || known.state === "failed") && (
        <button type="button" onClick={() => void load(known.next)}>
          {known.state === "failed" ? text.lobby.again : text.lobby.older}
        </button>
      )}
    </section>
  );
}

function Games({ games, account }: { games: readonly PlayedGame[]; account: AccountId }) {
  const text = useText();
  const { lobby } = text;
  return (
    <table class="games">
      <thead>
        <tr>
          <th scope="col">{lobby.ended}</th>
          <th scope="col">{lobby.opponent}</th>
          <th scope="col">{lobby.result}</th>
          <th scope="col">{lobby.clock}</th>
          <th scope="col">{lobby.length}</th>
          <th scope="col">{lobby.pgn}</th>
        </tr>
      </thead>
      <tbody>
        {games.map((game) => (
          <GameRow key={game.game} game={game} account={account} />
        ))}
      </tbody>
    </table>
  );
}

function GameRow({ game, account }: { game: PlayedGame; account: AccountId }) {
  const text = useText();
  const { lobby } = text;
  const { color, opponent, fate, moves } = rowOf(game, account);
  const { white, black } = game.players;
  const ended = new Date(game.ended * 1000);
  return (
    <tr>
      <td class="when">
        <PageLink to={{ at: "game", id: game.game }}>
          <time dateTime={ended.toISOString()}>
            {ended.toLocaleString(localeOf(text.tag), { dateStyle: "short", timeStyle: "short" })}
          </time>
          <span class="visually-hidden">, {lobby.lookAt(white.name, black.name)}</span>
        </PageLink>
      </td>
      <td class="whom">
        <span class={`disc ${other(color)}`} role="img" aria-label={text.sides[other(color)]} />{" "}
        <PlayerLink player={opponent} />
      </td>
      <td class={`fate ${fate}`}>
        <strong>{lobby[fate]}</strong> <span class="quiet">{text.reasons[game.reason]}</span>
        {game.played_out && <span class="quiet">. {showPlayedOut(text, game.played_out)}</span>}
      </td>
      <td class="clock-of">
        {showControl(text, game.time_control)}
        {game.variant === "chess960" && ` ${lobby.chess960}`}
      </td>
      <td class="length">{lobby.movesCount(moves)}</td>
      <td class="pgn">
        <a
          href={`/api/games/${game.game}/pgn`}
          download={`${game.game}.pgn`}
          aria-label={lobby.pgnOf(white.name, black.name)}
        >
          {lobby.pgn}
        </a>
      </td>
    </tr>
  );
}
