/**
 * The course of a rating as a line with a point for each game, and below it what one of them did: the last one, or the one
 * that a pointer, a finger or the arrow keys have chosen, with the way to that game. The figures are beside the picture as
 * text, so that they do not shrink with it.
 */
import { useRef, useState } from "preact/hooks";
import type { GameId, PlayerView } from "#protocol";
import { type Chart, nearestTo } from "../../state/ratings";
import { showChange } from "../../text/words";
import { useText } from "../context";
import { PageLink } from "../HomeLink";
import { showDay } from "../locale";
import { fateOfPoints } from "./fates";

const WIDTH = 600;
const HEIGHT = 160;

interface Props {
  readonly chart: Chart;
  readonly name: string;
  readonly opponents: ReadonlyMap<GameId, PlayerView>;
}

export function RatingChart({ chart, name, opponents }: Props) {
  const text = useText();
  const { bottom, top, first, last, lowest, highest, from, until } = chart;
  const { chosen, ...handlers } = useChosen(chart);
  const { change } = chosen;
  const [x] = placeOf(chosen);
  const step = text.people.ratings.step(change.before, change.after);
  const figures = `${step} (${showChange(change.after - change.before)})`;
  const day = showDay(text, change.at);
  const rival = opponents.get(change.game);
  const fate = fateOfPoints(text, change);
  const game = rival ? `${fate}${text.lobby.against}${rival.name}` : fate;
  return (
    <figure class="rating-chart">
      <span class="chart-top" aria-hidden="true">
        {top}
      </span>
      <span class="chart-bottom" aria-hidden="true">
        {bottom}
      </span>
      <div
        class="chart-picture"
        role="slider"
        tabIndex={0}
        aria-label={text.people.ratings.chart(name, first, last, lowest, highest)}
        aria-valuemin={1}
        aria-valuemax={chart.points.length}
        aria-valuenow={chart.points.indexOf(chosen) + 1}
        aria-valuetext={`${figures}, ${day}, ${game}`}
        {...handlers}
      >
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {[0, 0.5, 1].map((y) => (
            <line key={y} class="chart-grid" x1={0} x2={WIDTH} y1={y * HEIGHT} y2={y * HEIGHT} />
          ))}
          <line class="chart-chosen" x1={x} x2={x} y1={0} y2={HEIGHT} />
          <polyline class="chart-line" points={chart.line.map((point) => placeOf(point).join()).join(" ")} />
          <path class="chart-points" d={chart.points.map(dotOf).join("")} />
          <path class="chart-points is-chosen" d={dotOf(chosen)} />
        </svg>
      </div>
      {/* Of one day the day is said once. */}
      {showDay(text, until) !== showDay(text, from) && (
        <span class="chart-from" aria-hidden="true">
          {showDay(text, from)}
        </span>
      )}
      <span class="chart-until" aria-hidden="true">
        {showDay(text, until)}
      </span>
      <figcaption>
        <span>
          <strong>{figures}</strong> · {day}
        </span>
        <PageLink to={{ at: "game", id: change.game }}>{game}</PageLink>
      </figcaption>
    </figure>
  );
}

interface Place {
  readonly x: number;
  readonly y: number;
}

const placeOf = ({ x, y }: Place): [string, string] => [(x * WIDTH).toFixed(1), ((1 - y) * HEIGHT).toFixed(1)];

/** A stroke without a length, whose round ends are a dot at every width of the picture. */
const dotOf = (point: Place): string => `M${placeOf(point).join()}h.01`;

/**
 * The point that is chosen, and what chooses one. A mouse chooses on its way over the picture, and keeps with a press what it
 * has chosen until it comes again, so that it reaches the link below.
 */
function useChosen({ points }: Chart) {
  // Counted from the end: earlier games come in front.
  const [back, setBack] = useState(0);
  const isKept = useRef(false);
  const last = points.length - 1;
  const at = Math.max(0, last - back);
  const choose = (index: number): void => setBack(last - Math.min(last, Math.max(0, index)));
  const point = ({ currentTarget, clientX }: PointerEvent): void => {
    const { left, width } = (currentTarget as Element).getBoundingClientRect();
    choose(nearestTo(points, (clientX - left) / width));
  };
  const keys: Record<string, number> = {
    ArrowLeft: at - 1,
    ArrowDown: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at + 1,
    Home: 0,
    End: last,
  };
  return {
    chosen: points[at] as Chart["points"][number],
    onPointerEnter: () => {
      isKept.current = false;
    },
    onPointerMove: (event: PointerEvent) => {
      if (event.pointerType !== "mouse" || !isKept.current) point(event);
    },
    onPointerDown: (event: PointerEvent) => {
      isKept.current = true;
      point(event);
    },
    onKeyDown: (event: KeyboardEvent) => {
      const index = keys[event.key];
      if (index === undefined) return;
      event.preventDefault();
      choose(index);
    },
  };
}
