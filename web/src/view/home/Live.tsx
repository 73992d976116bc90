/**
 * Games of others in progress: one large board, the rest small. Each board links to its game.
 *
 * While no two others play, the large board shows a finished game.
 */
import type { LiveGame } from "#protocol";
import { START_FEN } from "../../chess/position";
import { toWatch } from "../../state/lobby";
import type { Replayed } from "../../state/replay";
import { formatOf } from "../../text/terms";
import { MiniBoard } from "../board/MiniBoard";
import { useApp, useText } from "../context";
import { LiveClock } from "./LiveClock";
import { Replay } from "./Replay";
import { useFeaturedGame } from "./featured";
import { WatchLink } from "./WatchLink";

export function Featured() {
  const app = useApp();
  const text = useText();
  const { featured } = toWatch(app);
  const replayed = useFeaturedGame(app.lobby !== null && featured === null);
  const words = !replayed ? text.lobby.loading : text.replay[kindOf(replayed)];
  return (
    <section class="card featured" aria-label={featured ? text.lobby.featured : text.replay.label}>
      {featured ? (
        <LiveCard game={featured} />
      ) : (
        <>
          <p class="quiet" role="status">
            {words}
          </p>
          {replayed ? <Replay game={replayed} /> : <MiniBoard fen={START_FEN} />}
        </>
      )}
    </section>
  );
}

export function LiveBoards() {
  const { featured, others, total } = toWatch(useApp());
  const text = useText();
  if (others.length === 0) return null;
  return (
    <section class="card live" aria-label={text.lobby.live}>
      <h2>{featured ? text.lobby.liveMore(total - 1) : text.lobby.liveTotal(total)}</h2>
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
  const terms = [formatOf(text, game), game.watchers > 0 ? text.lobby.watchers(game.watchers) : ""]
    .filter(Boolean)
    .join(" · ");
  return (
    <WatchLink
      game={game.game}
      top={game.players.black}
      bottom={game.players.white}
      terms={terms}
      plies={game.ply_count}
      topClock={<LiveClock game={game} side="black" />}
      bottomClock={<LiveClock game={game} side="white" />}
      board={<MiniBoard fen={game.fen} last={game.last} />}
    />
  );
}

/** What is said above a game that plays itself. */
function kindOf({ id, isElsewhere }: Replayed): "famous" | "elsewhere" | "played" {
  return id === null ? "famous" : isElsewhere ? "elsewhere" : "played";
}
