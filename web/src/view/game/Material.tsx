/**
 * By which pieces one player is ahead of the other, and by how much in all: a figure for each piece, in the colour of the side
 * that lacks it, and a sentence for screen readers. What both have lost alike is left out: beside it, nobody could tell who is
 * ahead. It has its place from the start: the first capture moves no name.
 */
import { useMemo } from "preact/hooks";
import { type Material as Compared, materialOf } from "../../chess/material";
import type { Position } from "../../chess/position";
import { type Color, other } from "../../chess/square";
import type { Catalogue } from "../../text";
import { symbolOf } from "../board/pieces";
import { useText } from "../context";

interface Props {
  readonly position: Position;
  readonly color: Color;
}

export function Material({ position, color }: Props) {
  const text = useText();
  const material = useMemo(() => materialOf(color, position), [color, position]);
  const said = spoken(text, material);
  const count = material.more.reduce((sum, { count }) => sum + count, 0);
  return (
    <span class={count > 3 ? "material many" : "material"}>
      {material.more.flatMap(({ role, count }) =>
        Array.from({ length: count }, (_, n) => (
          <svg
            key={`${role}${n}`}
            class={`figure ${other(color)} ${n > 0 ? "again" : ""}`}
            viewBox="0 0 48 48"
            aria-hidden="true"
          >
            <use href={symbolOf(role)} width="48" height="48" />
          </svg>
        )),
      )}
      {material.ahead > 0 && <span aria-hidden="true">+{material.ahead}</span>}
      {said !== "" && <span class="visually-hidden">{said}</span>}
    </span>
  );
}

function spoken(text: Catalogue, { more, ahead }: Compared): string {
  const list = more.map(({ role, count }) => text.board.pieces(role, count)).join(", ");
  return [list && text.board.more(list), ahead > 0 ? text.board.ahead(ahead) : ""].filter(Boolean).join(" ");
}
