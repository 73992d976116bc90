/**
 * A finished game that plays itself once, for a home page on which no game is in progress.
 *
 * It can be stopped and stepped through, and its name leads to its page, or where it has none to the analysis of it. It stands still, at the end, for whoever wants less motion.
 */
import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { OPERA_KEY } from "../../state/operaGame";
import { type Replayed, fensOf, moveLabel } from "../../state/replay";
import { ANALYSIS_BOARD, type Route } from "../../state/route";
import { showSan, showScore } from "../../text/words";
import { MiniBoard } from "../board/MiniBoard";
import { useText } from "../context";
import { PageLink } from "../HomeLink";
import { Icon } from "../Icon";

const EACH_MS = 1500;

const OPERA: Route = { ...ANALYSIS_BOARD, pgn: OPERA_KEY };

export function Replay({ game }: { game: Replayed }) {
  const catalogue = useText();
  const text = catalogue.replay;
  const fens = useMemo(() => fensOf(game), [game]);
  const last = game.moves.length;
  const [isStill] = useState(() => matchMedia("(prefers-reduced-motion: reduce)").matches);
  const [plays, setPlays] = useState(!isStill);
  const [ply, setPly] = useState(isStill ? last : 0);
  const isOver = ply >= last;
  // At once: no move comes any more once it is shown as stopped.
  useLayoutEffect(() => {
    if (!plays) return;
    if (isOver) return setPlays(false);
    const timer = setTimeout(() => setPly(ply + 1), EACH_MS);
    return () => clearTimeout(timer);
  }, [plays, ply]);
  const step = (to: number): void => {
    setPlays(false);
    setPly(Math.min(last, Math.max(0, to)));
  };
  const move = game.moves[ply - 1];
  const title = text.players(game.white, game.black);
  return (
    <div class="replay">
      <MiniBoard fen={fens[ply] ?? ""} last={move?.uci} />
      <div class="replay-steps">
        <button type="button" class="plain" aria-label={text.back} title={text.back} onClick={() => step(ply - 1)}>
          <Icon name="back" />
        </button>
        <button
          type="button"
          onClick={() => {
            if (isOver) setPly(0);
            setPlays(!plays);
          }}
        >
          {plays ? text.pause : isOver ? text.again : text.play}
        </button>
        <button
          type="button"
          class="plain"
          aria-label={text.forward}
          title={text.forward}
          onClick={() => step(ply + 1)}
        >
          <Icon name="forward" />
        </button>
        <p class="replay-move">
          {move ? moveLabel(ply, showSan(catalogue, move.san)) : text.start}
          {isOver && <strong> {showScore(game.outcome.score)}</strong>}
        </p>
      </div>
      <p>
        <span class="replay-title">
          <PageLink to={game.id === null ? OPERA : { at: "game", id: game.id }}>{title}</PageLink>
        </span>{" "}
        <span class="quiet">{game.id === null ? text.opera : game.occasion}</span>
      </p>
    </div>
  );
}
