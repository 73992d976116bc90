/**
 * A small board as one drawing, not interactive.
 *
 * Hidden from screen readers: its surroundings carry the label.
 */
import { readFen } from "../../chess/position";
import { type Color, type Square, fileOf, rankOf, readUci } from "../../chess/square";
import { symbolOf } from "./pieces";

interface Props {
  readonly fen: string;
  /** The last move in UCI. */
  readonly last?: string | undefined;
  readonly bottom?: Color;
}

/** The dark squares, in one path. */
const DARK = Array.from({ length: 64 }, (_, square) => square)
  .filter((square) => (fileOf(square) + rankOf(square)) % 2 === 0)
  .map((square) => `M${fileOf(square)} ${7 - rankOf(square)}h1v1h-1z`)
  .join("");

export function MiniBoard({ fen, last, bottom = "white" }: Props) {
  const { board } = readFen(fen);
  const x = (square: Square): number => (bottom === "white" ? fileOf(square) : 7 - fileOf(square));
  const y = (square: Square): number => (bottom === "white" ? 7 - rankOf(square) : rankOf(square));
  const move = last === undefined ? null : readUci(last);
  const isDark = (square: Square): boolean => (fileOf(square) + rankOf(square)) % 2 === 0;
  return (
    <svg class="mini-board" viewBox="0 0 8 8" aria-hidden="true">
      <path class="light-squares" d="M0 0h8v8h-8z" />
      <path class="dark-squares" d={DARK} />
      {move &&
        [move.from, move.to].map((square) => (
          <rect
            key={square}
            class={`last ${isDark(square) ? "dark" : "light"}`}
            x={x(square)}
            y={y(square)}
            width="1"
            height="1"
          />
        ))}
      {board.map(
        (piece, square) =>
          piece && (
            <use
              key={square}
              class={`figure ${piece.color}`}
              href={symbolOf(piece.role)}
              x={x(square)}
              y={y(square)}
              width="1"
              height="1"
            />
          ),
      )}
    </svg>
  );
}
