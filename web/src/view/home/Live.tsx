/** Games in progress: one large board, the others small. Each board links to its game. */
import type { LiveGame } from "#protocol";
import { START_FEN } from "../../chess/position";
import { liveOf } from "../../state/lobby";
import { showControl } from "../../text/words";
import { MiniBoard } from "../board/MiniBoard";
import { useApp, useText } from "../context";
import { WatchLink } from "./WatchLink";

export function Featured() {
  const { lobby } = useApp();
  const text = useText();
  const featured = lobby ? liveOf(lobby.live).featured : null;
  return (
    <section class="card featured" aria-label={text.lobby.featured}>
      {featured ? (
        <LiveCard game={featured} />
      ) : (
        <div class="live-card">
          <div class="empty-board">
            <MiniBoard fen={START_FEN} />
          </div>
          <p class="quiet" role="status">
            {lobby ? text.lobby.noLive : text.lobby.loading}
          </p>
        </div>
      )}
    </section>
  );
}

export function LiveBoards() {
  const { lobby } = useApp();
  const text = useText();
  const { others } = lobby ? liveOf(lobby.live) : { others: [] };
  if (!lobby || lobby.live.total < 2) return null;
  return (
    <section class="card live" aria-label={text.lobby.live}>
      <h2>{text.lobby.liveTotal(lobby.live.total)}</h2>
      <ul class="live-boards">
        {others.map((game) => (
          <li key={game.game}>
            <LiveCard game={game} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function LiveCard({ game }: { game: LiveGame }) {
  const text = useText();
  const terms = [
    showControl(text, game.time_control),
    game.variant === "chess960" ? text.lobby.chess960 : "",
    game.watchers > 0 ? text.lobby.watchers(game.watchers) : "",
  ]
    .filter(Boolean)
    .join(" · ");
  return (
    <WatchLink
      game={game.game}
      top={game.players.black}
      bottom={game.players.white}
      terms={terms}
      plies={game.ply_count}
      board={<MiniBoard fen={game.fen} last={game.last} />}
    />
  );
}
