/**
 * Games of others in progress: one large board, the rest small. Each board links to its game.
 *
 * While nobody else plays, the large board shows a finished game.
 */
import type { LiveGame } from "#protocol";
import { START_FEN } from "../../chess/position";
import type { Replayed } from "../../state/replay";
import { formatOf } from "../../text/terms";
import { showReason, showScore } from "../../text/words";
import { MiniBoard } from "../board/MiniBoard";
import { useApp, useText } from "../context";
import { LiveClock } from "./LiveClock";
import { Replay } from "./Replay";
import { useFeaturedGame } from "./featured";
import type { Large } from "./large";
import { WatchLink } from "./WatchLink";

export function Featured({ large }: { readonly large: Large }) {
  const isKnown = useApp((app) => app.lobby !== null);
  const text = useText();
  const { game } = large;
  const replayed = useFeaturedGame(isKnown && game === null);
  const words = !replayed ? text.lobby.loading : text.replay[kindOf(replayed)];
  return (
    <section class="card featured" aria-label={game ? text.lobby.featured : text.replay.label}>
      {game ? (
        <LiveCard {...large} game={game} />
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

export function LiveBoards({ game, isOver, others, total }: Large) {
  const text = useText();
  if (others.length === 0) return null;
  return (
    <section class="card live" aria-label={text.lobby.live}>
      <h2>{game && !isOver ? text.lobby.liveMore(total - 1) : text.lobby.liveTotal(total)}</h2>
      <ul class="live-boards" data-count={others.length}>
        {others.map((game) => (
          <li key={game.game}>
            <LiveCard game={game} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface LiveProps extends Partial<Pick<Large, "isOver" | "outcome">> {
  readonly game: LiveGame;
}

/** When it is over the result stands in the line of the terms, so that nothing moves. */
function LiveCard({ game, isOver = false, outcome }: LiveProps) {
  const text = useText();
  const { watchers } = game;
  const words = outcome
    ? [showScore(outcome.score), showReason(text, outcome, null)]
    : [formatOf(text, game), watchers > 0 ? text.lobby.watchers(watchers) : ""];
  return (
    <WatchLink
      game={game.game}
      top={game.players.black}
      bottom={game.players.white}
      terms={words.filter(Boolean).join(" · ")}
      plies={game.ply_count}
      topClock={!isOver && <LiveClock game={game} side="black" />}
      bottomClock={!isOver && <LiveClock game={game} side="white" />}
      board={<MiniBoard fen={game.fen} last={game.last} />}
    />
  );
}

/** What is said above a game that plays itself. */
function kindOf({ id, isElsewhere }: Replayed): "famous" | "elsewhere" | "played" {
  return id === null ? "famous" : isElsewhere ? "elsewhere" : "played";
}
