/** What one player has captured, and by how much the player is ahead: small pieces, and a sentence for screen readers. */
import { useMemo } from "preact/hooks";
import { type Captured as Material, capturedBy } from "../../chess/material";
import { type Position, readFen } from "../../chess/position";
import { type Color, other } from "../../chess/square";
import type { Catalogue } from "../../text";
import { symbolOf } from "../board/pieces";
import { useText } from "../context";

interface Props {
  /** The first position of the game, as FEN. */
  readonly start: string;
  readonly position: Position;
  readonly by: Color;
}

/** In widths of a piece: from one to the next of its kind, and to the next kind. */
const STEP = 0.42;
const GAP = 0.3;

export function Captured({ start, position, by }: Props) {
  const text = useText();
  const material = useMemo(() => capturedBy(by, readFen(start), position), [by, start, position]);
  const said = spoken(text, material);
  const places: { role: string; x: number }[] = [];
  let x = 0;
  for (const { role, count } of material.pieces) {
    for (let n = 0; n < count; n += 1) places.push({ role: symbolOf(role), x: x + n * STEP });
    x += (count - 1) * STEP + 1 - GAP;
  }
  if (!said) return null;
  return (
    <span class="captured">
      {places.length > 0 && (
        <svg viewBox={`0 0 ${(x + GAP).toFixed(2)} 1`} aria-hidden="true">
          {places.map((place, index) => (
            <use
              key={index}
              class={`figure ${other(by)}`}
              href={place.role}
              x={place.x.toFixed(2)}
              y="0"
              width="1"
              height="1"
            />
          ))}
        </svg>
      )}
      {material.ahead > 0 && <span aria-hidden="true">+{material.ahead}</span>}
      <span class="visually-hidden">{said}</span>
    </span>
  );
}

function spoken(text: Catalogue, { pieces, ahead }: Material): string {
  const list = pieces.map(({ role, count }) => text.board.pieces(role, count)).join(", ");
  return [list && text.board.captured(list), ahead > 0 ? text.board.ahead(ahead) : ""].filter(Boolean).join(" ");
}
