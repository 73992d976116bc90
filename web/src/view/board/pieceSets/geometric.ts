/** The geometric set: straight edges and circles upon a block, each piece with a head of its own. Drawn on 48 by 48. */
import type { PieceShapes } from "./shape";

const BLOCK = "M9.6 38h28.8v6H9.6z";

export const GEOMETRIC: PieceShapes = {
  p: {
    body: ["M21 20h6l6 18H15z", "M16.4 15.8a7.6 7.6 0 1 1 15.2 0a7.6 7.6 0 1 1 -15.2 0z", "M11.6 38h24.8v6H11.6z"],
    lines: [],
    dots: [],
  },
  n: {
    body: ["M13.6 38V33.6L24 24.4L17.6 25.6L12 31L6.4 25.4L15.4 12L20 9.6V3.6L27.4 9L36 18V38z", BLOCK],
    lines: ["M28.6 16.4V33"],
    dots: [{ x: 18.4, y: 16.8, r: 1.9 }],
  },
  b: {
    body: [
      "M19 30h10l4 8H15z",
      "M24 6.4L36 21L29.6 30.4H18.4L12 21z",
      "M20.6 6a3.4 3.4 0 1 1 6.8 0a3.4 3.4 0 1 1 -6.8 0z",
      BLOCK,
    ],
    lines: ["M24 15v10", "M19 20h10"],
    dots: [],
  },
  r: {
    body: ["M14 18h20v20H14z", "M9.6 6h7v5h4v-5h6.8v5h4v-5h7v13H9.6z", BLOCK],
    lines: ["M24 24v8"],
    dots: [],
  },
  q: {
    body: [
      "M6 12L15.4 20.4L24 7.6L32.6 20.4L42 12L34.4 38H13.6z",
      "M20.6 6.4a3.4 3.4 0 1 1 6.8 0a3.4 3.4 0 1 1 -6.8 0z",
      "M2.6 11.6a3.4 3.4 0 1 1 6.8 0a3.4 3.4 0 1 1 -6.8 0z",
      "M38.6 11.6a3.4 3.4 0 1 1 6.8 0a3.4 3.4 0 1 1 -6.8 0z",
      BLOCK,
    ],
    lines: ["M12.8 31.4h22.4"],
    dots: [],
  },
  k: {
    body: ["M21.2 2.6h5.6v4.6h4.6v5.4h-4.6v6h-5.6v-6h-4.6V7.2h4.6z", "M8 17.6H40L34.4 38H13.6z", BLOCK],
    lines: ["M12.4 31.4h23.2"],
    dots: [],
  },
};
