/**
 * Our own piece set, drawn for small sizes: few shapes, one outline, details only where they tell pieces apart.
 *
 * The shapes are mounted once as symbols; a piece refers to its symbol. Colours come from style, so light and dark
 * pages and both sides share the drawing.
 */
import { ROLES, type Piece, type Role } from "../../chess/square";

const BASE =
  "M13.200 34.500h21.600c1.500 0 2.700 1.200 2.700 2.700v2.600c0 .7-.5 1.200-1.200 1.200H11.700c-.7 0-1.200-.5-1.200-1.200v-2.600c0-1.500 1.200-2.700 2.700-2.700z";

/** The outline of each piece without its base, and the lines drawn on it. */
const SHAPES: Readonly<Record<Role, { body: readonly string[]; lines: readonly string[] }>> = {
  p: {
    body: [
      "M19.500 22.500h9c.6 6 2 9.300 5 12h-19c3-2.700 4.400-6 5-12z",
      "M24 9.500a6.400 6.400 0 0 1 4.300 11.100c1 .5 1.700 1.200 1.700 1.900H18c0-.7.7-1.400 1.700-1.900A6.400 6.400 0 0 1 24 9.500z",
    ],
    lines: [],
  },
  n: {
    body: [
      "M14.500 34.500c-.2-6.200 2.600-9.300 7-12.900-2.600.1-4.300 1.900-6.900 2.700-2.300.7-4.600-1-4-3.400.9-3.600 4.300-8.400 8.400-10.700.1-1.600.5-3 1.500-4.200l3.700 2.900C33.500 10.200 37 18 36.700 27c-.1 2.900-.5 5.200-1.100 7.500z",
    ],
    lines: ["M26.500 13.500c4 2.600 6 7.200 5.900 13"],
  },
  b: {
    body: [
      "M24 11c5.700 3.700 9 8.300 9 13 0 4.400-2.600 7.500-5.700 10.500h-6.600C17.600 31.500 15 28.400 15 24c0-4.700 3.300-9.300 9-13z",
      "M24 5.200a3 3 0 1 1 0 6 3 3 0 0 1 0-6z",
    ],
    lines: ["M27.500 16.500l-4.700 7.800", "M18.300 30.500h11.400"],
  },
  r: {
    body: ["M17 20h14l1.700 14.500H15.300z", "M12.500 9h6v3.800h3V9h5v3.800h3V9h6v8.200L32 20.500H16l-3.500-3.300z"],
    lines: [],
  },
  q: {
    body: [
      "M9.800 14.500L15 34.500h18l5.200-20-7.400 9-2.300-12.400L24 22.400l-4.500-11.300-2.300 12.400z",
      "M9.300 10.300a2.700 2.700 0 1 1 0 5.400 2.700 2.700 0 0 1 0-5.400z",
      "M38.700 10.300a2.700 2.700 0 1 1 0 5.400 2.700 2.700 0 0 1 0-5.400z",
      "M19 6.800a2.700 2.700 0 1 1 0 5.400 2.700 2.700 0 0 1 0-5.400z",
      "M29 6.800a2.700 2.700 0 1 1 0 5.400 2.700 2.700 0 0 1 0-5.400z",
    ],
    lines: ["M15.500 30.200h17"],
  },
  k: {
    body: [
      "M24 20c2.200-5.600 12.600-7.200 13.900.4.800 4.900-2.500 9.200-5.400 14.100h-17c-2.900-4.900-6.200-9.200-5.400-14.100 1.300-7.600 11.700-6 13.900-.4z",
      "M22.300 4h3.400v3.200H29v3.400h-3.300v4.200c1.500 1.700 1 4.200-1.700 6.700-2.700-2.500-3.200-5-1.700-6.700v-4.200H19V7.200h3.300z",
    ],
    lines: ["M16.500 30.200h15"],
  },
};

/** The symbols that all pieces on the page refer to. */
export function PieceSymbols() {
  return (
    <svg class="symbols" aria-hidden="true">
      {ROLES.map((role) => (
        <symbol id={`piece-${role}`} viewBox="0 0 48 48" key={role}>
          {SHAPES[role].body.map((d) => (
            <path class="shape" d={d} />
          ))}
          <path class="shape" d={BASE} />
          {SHAPES[role].lines.map((d) => (
            <path class="detail" d={d} />
          ))}
          {role === "n" && <circle class="dot" cx="20.200" cy="15.800" r="1.500" />}
        </symbol>
      ))}
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
      <use href={`#piece-${piece.role}`} />
    </svg>
  );
}
