/**
 * Games in progress: one large board, the others small. Each board links to its game.
 *
 * While nobody plays, the large board shows a finished game.
 */
import type { LiveGame } from "#protocol";
import { START_FEN } from "../../chess/position";
import { OPERA_GAME } from "../../state/operaGame";
import { liveOf } from "../../state/lobby";
import { showControl } from "../../text/words";
import { MiniBoard } from "../board/MiniBoard";
import { useApp, useText } from "../context";
import { Replay } from "./Replay";
import { WatchLink } from "./WatchLink";

export function Featured() {
  const { lobby } = useApp();
  const text = useText();
  const featured = lobby ? liveOf(lobby.live).featured : null;
  return (
    <section class="card featured" aria-label={featured || !lobby ? text.lobby.featured : text.replay.label}>
      {featured ? (
        <LiveCard game={featured} />
      ) : (
        <>
          <p class="quiet" role="status">
            {lobby ? text.replay.noLive : text.lobby.loading}
          </p>
          {lobby ? <Replay game={OPERA_GAME} /> : <MiniBoard fen={START_FEN} />}
        </>
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
