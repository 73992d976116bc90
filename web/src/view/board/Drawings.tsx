/** The arrows and circles on a board, as one drawing above it. They are one's own notes: nobody else sees them. */
import { type Drawing, isCircle } from "../../state/drawing";
import { placeOf } from "./place";

interface Props {
  readonly drawings: readonly Drawing[];
  readonly preview: Drawing | null;
  readonly flipped: boolean;
}

/**
 * In squares: half the width of the shaft, and how far from the middle, straight or aslant, the arrow begins: beside the piece,
 * which is seen whole.
 */
const SHAFT = 0.085;
const START = 0.44;
/** The length of the head and half its width; to the next square it is so short that the shaft is longer. */
const HEAD = { head: 0.4, side: 0.24 };
const SHORT_HEAD = { head: 0.27, side: 0.21 };

export function Drawings({ drawings, preview, flipped }: Props) {
  const all = preview ? [...drawings, preview] : drawings;
  if (!all.length) return null;
  return (
    <svg class="drawings" viewBox="0 0 8 8" aria-hidden="true">
      {all.map((drawing, index) => (
        <path
          key={index}
          class={`${isCircle(drawing) ? "circle" : "arrow"} ${drawing.color}`}
          d={isCircle(drawing) ? circle(drawing, flipped) : arrow(drawing, flipped)}
        />
      ))}
    </svg>
  );
}

/** A ring, as the area between two circles. */
function circle({ to }: Drawing, flipped: boolean): string {
  const { column, row } = placeOf(to, flipped);
  const ring = (r: number, sweep: 0 | 1): string =>
    `M${column + 0.5 - r} ${row + 0.5}a${r} ${r} 0 1 ${sweep} ${2 * r} 0a${r} ${r} 0 1 ${sweep} ${-2 * r} 0z`;
  return ring(0.47, 1) + ring(0.39, 0);
}

/** The outline of an arrow, from the edge of one piece to the middle of another square. */
export function arrow({ from, to }: Drawing, flipped: boolean): string {
  const [a, b] = [placeOf(from, flipped), placeOf(to, flipped)];
  const [x, y] = [b.column - a.column, b.row - a.row];
  const length = Math.hypot(x, y);
  /** A point so far along the arrow and so far beside it. */
  const at = (along: number, beside: number): string => {
    const px = a.column + 0.5 + (x * along - y * beside) / length;
    const py = a.row + 0.5 + (y * along + x * beside) / length;
    return `${px.toFixed(3)} ${py.toFixed(3)}`;
  };
  const squares = Math.max(Math.abs(x), Math.abs(y));
  const { head, side } = squares === 1 ? SHORT_HEAD : HEAD;
  const neck = length - head;
  const begin = (START * length) / squares;
  const points = [
    at(begin, SHAFT),
    at(neck, SHAFT),
    at(neck, side),
    at(length, 0),
    at(neck, -side),
    at(neck, -SHAFT),
    at(begin, -SHAFT),
  ];
  return `M${points.join("L")}z`;
}
