/**
 * What one player has captured, and by how much the player is ahead: each kind of piece once, with how many of them, and a
 * sentence for screen readers.
 */
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

export function Captured({ start, position, by }: Props) {
  const text = useText();
  const material = useMemo(() => capturedBy(by, readFen(start), position), [by, start, position]);
  const said = spoken(text, material);
  if (!said) return null;
  return (
    <span class="captured">
      {material.pieces.map(({ role, count }) => (
        <span class="kind" key={role} aria-hidden="true">
          <svg class={`figure ${other(by)}`} viewBox="2 3 44 44">
            <use href={symbolOf(role)} width="48" height="48" />
          </svg>
          {count > 1 && count}
        </span>
      ))}
      {material.ahead > 0 && <span aria-hidden="true">+{material.ahead}</span>}
      <span class="visually-hidden">{said}</span>
    </span>
  );
}

function spoken(text: Catalogue, { pieces, ahead }: Material): string {
  const list = pieces.map(({ role, count }) => text.board.pieces(role, count)).join(", ");
  return [list && text.board.captured(list), ahead > 0 ? text.board.ahead(ahead) : ""].filter(Boolean).join(" ");
}
