/**
 * The times of a game as a chart, whose columns lead to their plies, and as a table for whoever does not see it. What the
 * computer thinks stands in the table too, where it is known. The clocks are lines in the chart, unless they hardly fell, as
 * with a large increment.
 */
import type { Evaluation } from "#protocol";
import { writeClock } from "../../state/clock";
import type { Evaluations } from "../../state/analysis/mistakes";
import { showWorth, speakWorth } from "../../state/analysis/worth";
import { type GameMoves, HALF, barOf, clockPath, haveClocksFallen, timesOf } from "../../state/analysis/times";
import { showFraction } from "../../text/numbers";
import { showSan, speakSan } from "../../text/words";
import { useText } from "../context";

/** What is left free at the sides, in moves, and above and below: no bar and no line lies on the border. */
const EDGE = 0.3;
const ROOM = 6;

interface Props {
  readonly game: GameMoves;
  readonly known: Evaluations;
  readonly ply: number | null;
  step(ply: number): void;
}

export function TimeChart({ game, known, ply, step }: Props) {
  const text = useText();
  const { times: words } = text.analysis;
  const times = timesOf(game);
  const longest = Math.max(0, ...times.map(({ took }) => took ?? 0));
  if (longest === 0) return null;
  const hasLines = haveClocksFallen(game, times);
  const seconds = (ms: number): string => words.seconds(showFraction(text.tag, ms / 1_000, 1));
  const press = (event: MouseEvent): void => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const at = Math.ceil(((event.clientX - box.left) / box.width) * (times.length + 2 * EDGE) - EDGE);
    step(Math.min(times.length, Math.max(1, at)));
  };
  return (
    <section class="times" aria-labelledby="times-title">
      <h2 id="times-title">{words.title}</h2>
      <p class="quiet">{words.longest(seconds(longest), hasLines)}</p>
      <svg
        class="time-chart"
        viewBox={`${-EDGE} ${-ROOM} ${times.length + 2 * EDGE} ${2 * (HALF + ROOM)}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words.chart(hasLines)}
        onClick={press}
      >
        {ply !== null && ply > 0 && <rect class="here" x={ply - 1} y={-ROOM} width="1" height={2 * (HALF + ROOM)} />}
        {times.map(({ ply: at, color, took }) => {
          const height = barOf(took ?? 0, longest);
          const y = color === "white" ? HALF - height : HALF;
          return <rect key={at} class={`bar ${color}`} x={at - 0.9} y={y} width="0.8" height={height} />;
        })}
        {hasLines &&
          (["white", "black"] as const).map((color) => (
            <path key={color} class={`clock-line ${color}`} d={clockPath(game, times, color)} />
          ))}
      </svg>
      <details>
        <summary>{words.table}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.move}</th>
              <th scope="col">{words.took}</th>
              <th scope="col">{words.clock}</th>
              <th scope="col">{text.analysis.evaluation.title}</th>
            </tr>
          </thead>
          <tbody>
            {times.map(({ ply: at, san, color, took, clock }) => (
              <tr key={at}>
                <td>
                  <button
                    type="button"
                    class="ply"
                    aria-current={at === ply ? "step" : undefined}
                    onClick={() => step(at)}
                  >
                    <span class={`disc ${color}`} aria-hidden="true" />
                    <span aria-hidden="true">{showSan(text, san)}</span>
                    <span class="visually-hidden">
                      {text.announcements.move(text.sides[color], speakSan(text, san))}
                    </span>
                  </button>
                </td>
                <td>{took === null ? "–" : seconds(took)}</td>
                <td>{clock === null ? "–" : writeClock(clock)}</td>
                <td>{known[at] ? <Worth evaluation={known[at]} /> : "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}

function Worth({ evaluation }: { readonly evaluation: Evaluation }) {
  const text = useText();
  return (
    <>
      <span aria-hidden="true">{showWorth(text, evaluation)}</span>
      <span class="visually-hidden">{speakWorth(text, evaluation)}</span>
    </>
  );
}
