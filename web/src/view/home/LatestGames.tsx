/**
 * The games that have ended last on this server, as small boards that lead to them. They fill the third column of a desk
 * while no other plays, where live games stand otherwise; elsewhere there is no room for them, and they are not asked for.
 */
import { useEffect, useState } from "preact/hooks";
import type { PlayedGame, PlayedGames } from "#protocol";
import { askJson } from "../../net/ask";
import { toWatch } from "../../state/lobby";
import { LATEST_ASKED, latestGames } from "../../state/recentGames";
import { playedFormat } from "../../text/terms";
import { fateOf } from "../../state/played";
import { showReason, showScore } from "../../text/words";
import { MiniBoard } from "../board/MiniBoard";
import { useApp, useText } from "../context";
import { PageLink } from "../HomeLink";
import { showAgo } from "../locale";
import { useMedia } from "../media";

/** Three columns, as in `style/home.css`. */
const DESK = "(min-width: 72rem)";

export function LatestGames() {
  const text = useText();
  const account = useApp((app) => app.account);
  const isQuiet = useApp((app) => app.lobby !== null && toWatch(app).total === 0);
  const isWanted = useMedia(DESK) && isQuiet;
  const [games, set] = useState<readonly PlayedGame[]>([]);
  // Whenever the last live game has ended they are others.
  useEffect(() => {
    if (!isWanted) return;
    void askJson<PlayedGames>(`/api/games?imported=false&limit=${LATEST_ASKED}`).then(
      (answer) => answer.kind === "there" && set(answer.value.games),
    );
  }, [isWanted]);
  const shown = latestGames(games, account);
  if (!isWanted || shown.length === 0) return null;
  return (
    <section class="card latest" aria-labelledby="latest-title">
      <h2 id="latest-title">{text.home.latest}</h2>
      <ul class="own-boards">
        {shown.map((game) => (
          <li key={game.game}>
            <Card game={game} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Card({ game }: { game: PlayedGame }) {
  const text = useText();
  const { white, black } = game.players;
  return (
    <PageLink class="own-game" to={{ at: "game", id: game.game }}>
      <MiniBoard fen={game.fen} last={game.last} />
      <span class="own-words">
        <span class="live-name">{white.name}</span>
        <span class="live-name">
          <span class="visually-hidden">{text.lobby.against}</span>
          {black.name}
        </span>
        <span>
          <strong>{showScore(game.score)}</strong> <span class="quiet">{showReason(text, game, null)}</span>
        </span>
        <span class="quiet">{playedFormat(text, game, fateOf(game.score, "white"))}</span>
        <span class="quiet">{showAgo(text, game.ended)}</span>
      </span>
    </PageLink>
  );
}
