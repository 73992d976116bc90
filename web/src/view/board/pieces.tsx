/**
 * The pieces as pictures: the shapes of the chosen set are mounted once as symbols, and a piece refers to its symbol.
 *
 * Knows no squares. What a set looks like is in `pieceSets`.
 */
import { ROLES, type Piece, type Role } from "../../chess/square";
import type { PieceSet } from "../../state/settings";
import type { Catalogue } from "../../text";
import { useApp, useText } from "../context";
import { MODERN } from "./pieceSets/modern";
import type { PieceShape, PieceShapes } from "./pieceSets/shape";
import { SIMPLE } from "./pieceSets/simple";
import { STAUNTON } from "./pieceSets/staunton";

const SETS: Readonly<Record<PieceSet, PieceShapes>> = { staunton: STAUNTON, modern: MODERN, simple: SIMPLE };

/** Where a piece of `role` is drawn. */
export const symbolOf = (role: Role): string => `#piece-${role}`;

/** The symbols that all pieces on the page refer to, of the set that was chosen. */
export function PieceSymbols() {
  const pieces = useApp((app) => app.settings.pieces);
  return <SymbolsOf pieces={pieces} letters={useText().letters} />;
}

/** The symbols of a set. `letters` are those of the pieces, for a set that has them. */
export function SymbolsOf({ pieces, letters }: { pieces: PieceSet; letters: Catalogue["letters"] }) {
  const shapes = SETS[pieces];
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

function Drawing({ shape, letter }: { shape: PieceShape; letter: string }) {
  return (
    <>
      {shape.body.map((d) => (
        <path class="shape" d={d} />
      ))}
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

/** The white knight of a set, whichever is chosen. */
export function PieceSample({ set }: { set: PieceSet }) {
  return (
    <svg class="piece-sample figure white" viewBox="0 0 48 48" aria-hidden="true">
      <Drawing shape={SETS[set].n} letter={useText().letters.n} />
    </svg>
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
