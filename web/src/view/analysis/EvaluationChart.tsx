/**
 * The evaluation over a game as a chart with its mistakes, whose places lead to their plies; with gaps where it is not known
 * yet. Beside it stands which half is whose, for eyes alone. While a long game is evaluated, a few positions spread over it
 * give the line its shape. Each kind of mistake has a shape and a colour of its own, which the table of mistakes names. The
 * moves say it in words.
 */
import { useMemo } from "preact/hooks";
import { type Point, runsOf, sketchStep } from "../../state/analysis/chart";
import type { Evaluations, MarkedMove } from "../../state/analysis/mistakes";
import { shareOf } from "../../state/analysis/worth";
import type { GameMoves } from "../../state/analysis/times";
import { useText } from "../context";
import { MARK_NAMES, MarkShape } from "./Mark";

/** The height in units of the picture; its width is the plies of the game. */
const HIGH = 20;
/** What is left at each side, as a part of the width: the shape of a mistake is whole at the first and at the last ply. */
const EDGE = 0.035;

interface Props {
  readonly game: GameMoves;
  readonly known: Evaluations;
  /** Of a few positions spread over the game, where more is not known yet. */
  readonly sketch: Evaluations;
  readonly mistakes: readonly MarkedMove[];
  readonly ply: number | null;
  step(ply: number): void;
}

export function EvaluationChart({ game, known, sketch, mistakes, ply, step }: Props) {
  const { evaluation: words } = useText().analysis;
  const plies = Math.max(1, game.plyCount);
  const edge = plies * EDGE;
  const runs = useMemo(() => {
    const isSketched = Object.keys(sketch).length > 0;
    return runsOf({ ...sketch, ...known }, isSketched ? sketchStep(plies) : 1);
  }, [known, sketch]);
  const press = (event: MouseEvent): void => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const at = Math.round(((event.clientX - box.left) / box.width) * (plies + 2 * edge) - edge);
    step(Math.min(plies, Math.max(0, at)));
  };
  return (
    <figure class="chart">
      <figcaption class="visually-hidden">{words.chartTitle}</figcaption>
      <div class="chart-halves" aria-hidden="true">
        <span class="disc white" />
        <span class="disc black" />
      </div>
      <svg
        class="evaluation-chart"
        viewBox={`${-edge} 0 ${plies + 2 * edge} ${HIGH}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words.chart}
        onClick={press}
      >
        {runs.map((run) => (
          <Run key={run[0]?.[0]} run={run} plies={plies} edge={edge} />
        ))}
        <path class="even" d={`M${-edge} ${HIGH / 2}H${plies + edge}`} />
        {mistakes.map(({ ply: at, mark }) => (
          <path key={at} class={`mistake ${MARK_NAMES[mark]}`} d={`M${at} 0v${HIGH}`} />
        ))}
        {ply !== null && <path class="here" d={`M${ply} 0v${HIGH}`} />}
        {mistakes.map(({ ply: at, mark, after }) => (
          <MarkShape key={at} mark={mark} place={`${at} ${heightOf(after)}`} />
        ))}
      </svg>
    </figure>
  );
}

/** Where the shape of a mistake stands: on the line, and whole within the picture. */
function heightOf(after: MarkedMove["after"]): number {
  const share = after ? shareOf(after) : 0.5;
  return Math.min(HIGH - 2, Math.max(2, HIGH * (1 - share)));
}

interface RunProps {
  readonly run: readonly Point[];
  readonly plies: number;
  readonly edge: number;
}

/**
 * Plies that follow one another, all of them known; a single one is a dot. The line of the first ply and of the last one goes
 * on to the side of the picture.
 */
function Run({ run, plies, edge }: RunProps) {
  const [from, to] = [run[0], run.at(-1)];
  if (!from || !to) return null;
  const all = [
    ...(from[0] === 0 ? [[-edge, from[1]] as const] : []),
    ...run,
    ...(to[0] === plies ? [[plies + edge, to[1]] as const] : []),
  ];
  const line = all.map(([ply, share]) => `${ply} ${(HIGH * (1 - share)).toFixed(2)}`).join("L");
  if (all.length === 1) return <path class="scores" d={`M${line}h0`} />;
  const [first, last] = [all[0]?.[0] ?? 0, all.at(-1)?.[0] ?? 0];
  return (
    <>
      <path class="blacks" d={`M${first} 0H${last}V${HIGH}H${first}Z`} />
      <path class="whites" d={`M${first} ${HIGH}L${line}L${last} ${HIGH}Z`} />
      <path class="scores" d={`M${line}`} />
    </>
  );
}
