/**
 * Finished games as rows, from the side of the player whose games they are, with that player's colour before the result; on a
 * phone each is a small card.
 */
import type { AccountId, PlayedGame } from "#protocol";
import type { Color } from "../../chess/square";
import { rowOf } from "../../state/played";
import { formatOf } from "../../text/terms";
import { showPlayedOut, showReason } from "../../text/words";
import { useApp, useText } from "../context";
import { showTime } from "../locale";
import { PageLink } from "../HomeLink";
import { PlayerLink } from "../PlayerLink";

export function GameRows({ games, account }: { games: readonly PlayedGame[]; account: AccountId }) {
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
  const reader = useApp((app) => app.account);
  const { lobby } = text;
  const { color, opponent, fate, moves } = rowOf(game, account);
  const { white, black } = game.players;
  const ended = new Date(game.ended * 1000);
  return (
    <tr>
      <td class="when">
        <PageLink to={{ at: "game", id: game.game }}>
          <time dateTime={ended.toISOString()}>{showTime(text, ended)}</time>
          <span class="visually-hidden">, {lobby.lookAt(white.name, black.name)}</span>
        </PageLink>
      </td>
      <td class="whom">
        <PlayerLink player={opponent} />
      </td>
      <td class={`fate ${fate}`}>
        <Side color={color} /> <strong>{lobby[fate]}</strong>{" "}
        <span class="quiet">{showReason(text, game, color, account === reader)}</span>
        {game.played_out && <span class="quiet">. {showPlayedOut(text, game.played_out)}</span>}
      </td>
      <td class="clock-of">{formatOf(text, game)}</td>
      <td class="length">{lobby.movesCount(moves)}</td>
      <td class="pgn">
        {game.ply_count > 0 && (
          <PageLink
            to={{ at: "analysis", game: game.game, ply: null, fen: null }}
            label={text.archive.analysisOf(white.name, black.name)}
          >
            {text.analysis.open}
          </PageLink>
        )}{" "}
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

/** The player's own colour. */
function Side({ color }: { color: Color }) {
  const text = useText();
  const words = text.archive.playedAs(text.sides[color]);
  return <span class={`disc ${color}`} role="img" aria-label={words} title={words} />;
}
