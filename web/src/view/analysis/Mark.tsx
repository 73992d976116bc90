/**
 * A mistake's mark as it is written after a move, and its shape in the chart: each kind has a shape and a colour of its own.
 * Both are for eyes alone; what they mean is said beside them.
 */
import type { Mark } from "../../state/analysis/mistakes";

/** As the style sheets name them. */
export const MARK_NAMES: Readonly<Record<Mark, string>> = { "?!": "inaccuracy", "?": "error", "??": "blunder" };

export function MarkSign({ mark }: { readonly mark: Mark }) {
  return (
    <span class={`mistake-mark ${MARK_NAMES[mark]}`} aria-hidden="true">
      {mark}
    </span>
  );
}

/** A ring, a square or a disc: points with wide strokes, which no picture's width or height distorts. */
export function MarkShape({ mark, place }: { readonly mark: Mark; readonly place: string }) {
  return (
    <g class={`mark-shape ${MARK_NAMES[mark]}`}>
      <path class="around" d={`M${place}h0`} />
      <path class="inside" d={`M${place}h0`} />
      <path class="hole" d={`M${place}h0`} />
    </g>
  );
}

/** The shape that stands for a mark in the chart, beside its name. */
export function MarkPicture({ mark }: { readonly mark: Mark }) {
  return (
    <svg class="mark-picture" viewBox="0 0 16 16" aria-hidden="true">
      <MarkShape mark={mark} place="8 8" />
    </svg>
  );
}
