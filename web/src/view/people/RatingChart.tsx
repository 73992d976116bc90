/** The course of a rating as a line. The figures are beside it as text, so that they do not shrink with the picture. */
import type { Chart } from "../../state/ratings";
import { showDay } from "../locale";
import { useText } from "../context";

const WIDTH = 600;
const HEIGHT = 160;

export function RatingChart({ chart, name }: { chart: Chart; name: string }) {
  const text = useText();
  const { bottom, top, first, last, lowest, highest, from, until } = chart;
  const line = chart.points.map(({ x, y }) => `${(x * WIDTH).toFixed(1)},${((1 - y) * HEIGHT).toFixed(1)}`).join(" ");
  return (
    <figure class="rating-chart">
      <span class="chart-top" aria-hidden="true">
        {top}
      </span>
      <span class="chart-bottom" aria-hidden="true">
        {bottom}
      </span>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={text.people.ratings.chart(name, first, last, lowest, highest)}
      >
        {[0, 0.5, 1].map((y) => (
          <line key={y} class="chart-grid" x1={0} x2={WIDTH} y1={y * HEIGHT} y2={y * HEIGHT} />
        ))}
        <polyline class="chart-line" points={line} />
      </svg>
      <span class="chart-from" aria-hidden="true">
        {showDay(text, from)}
      </span>
      {/* Of one day the day is said once. */}
      {showDay(text, until) !== showDay(text, from) && (
        <span class="chart-until" aria-hidden="true">
          {showDay(text, until)}
        </span>
      )}
    </figure>
  );
}
