/**
 * The pieces as pictures: the shapes of a set are mounted once as symbols, and a piece refers to its symbol.
 *
 * Knows no squares. What a set looks like is in `pieceSets`, and which one was chosen in `PieceSets`.
 */
import { ROLES, type Piece, type Role } from "../../chess/square";
import type { Catalogue } from "../../text";
import type { PieceShape, PieceShapes } from "./pieceSets/shape";

/** Where a piece of `role` is drawn. */
export const symbolOf = (role: Role): string => `#piece-${role}`;

/** The symbols of a set. `letters` are those of the pieces, for a set that has them. */
export function SymbolsOf({ shapes, letters }: { shapes: PieceShapes; letters: Catalogue["letters"] }) {
  return (
    <svg class="symbols" aria-hidden="true">
      {ROLES.map((role) => (
        <symbol id={symbolOf(role).slice(1)} viewBox="0 0 48 48" key={role}>
          <Drawing shape={shapes[role]} letter={letters[role]} />
        </symbol>
      ))}
    </svg>
  );
}

export function Drawing({ shape, letter }: { shape: PieceShape; letter: string }) {
  return (
    <>
      {shape.body.map((d) => (
        <path class="shape" d={d} />
      ))}
      {shape.shades?.map((d) => (
        <path class="shade" d={d} />
      ))}
      {shape.shades && shape.body.map((d) => <path class="outline" d={d} />)}
      {shape.lines.map((d) => (
        <path class="detail" d={d} />
      ))}
      {shape.dots.map(({ x, y, r }) => (
        <circle class="dot" cx={x} cy={y} r={r} />
      ))}
      {shape.lettered && (
        <text class="letter" x="24" y="34.6">
          {letter}
        </text>
      )}
    </>
  );
}

export function PieceImage({ piece }: { piece: Piece }) {
  return (
    <svg
      class={`piece ${piece.color}`}
      viewBox="0 0 48 48"
      aria-hidden="true"
      data-piece={piece.color.charAt(0) + piece.role}
    >
      <use href={symbolOf(piece.role)} />
    </svg>
  );
}
