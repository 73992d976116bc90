/** The modern set: plain silhouettes without foot or collar, told apart by their outline alone. Drawn on 48 by 48. */
import type { PieceShapes } from "./shape";

export const MODERN: PieceShapes = {
  p: {
    body: ["M19.6 24h8.8L35 44H13z", "M16 16.6a8 8 0 1 1 16 0a8 8 0 1 1 -16 0z"],
    lines: [],
    dots: [],
  },
  n: {
    body: [
      "M10.6 44C10.6 36.4 19.6 33.4 22.6 26.4L16.4 28.2L12.2 32.6L6.4 29.4L6.8 23.6L13.4 12.6L17.6 9.4L18.8 3.4L24.6 8.8C34 10.2 39.4 19.6 39.4 31V44z",
    ],
    lines: [],
    dots: [{ x: 18, y: 16, r: 1.9 }],
  },
  b: {
    body: [
      "M24 3.6C30.4 8.4 37 15.4 37 22.6C37 27.4 34 31 30.6 33L36.4 44H11.6L17.4 33C14 31 11 27.4 11 22.6C11 15.4 17.6 8.4 24 3.6z",
    ],
    lines: ["M31.4 10.6L24.6 20.4", "M17.6 33h12.8"],
    dots: [],
  },
  r: {
    body: ["M9.6 6.6h7.2v4.8h3.6v-4.8h7.2v4.8h3.6v-4.8h7.2v12.2l-4.6 4.2 2.6 21H11.6l2.6-21-4.6-4.2z"],
    lines: ["M14.2 23h19.6"],
    dots: [],
  },
  q: {
    body: ["M4.6 13.2L13.4 23.6L14.6 7.6L21 21.6L24 4.6L27 21.6L33.4 7.6L34.6 23.6L43.4 13.2L36.4 44H11.6z"],
    lines: ["M13.2 36.6h21.6"],
    dots: [],
  },
  k: {
    body: [
      "M21.4 3h5.2v3.8h4v5h-4v6h-5.2v-6h-4v-5h4z",
      "M24 20.6C26.8 16 30.6 14.4 34 14.4C38.4 14.4 41.4 17.8 40.6 22.2L36.4 44H11.6L7.4 22.2C6.6 17.8 9.6 14.4 14 14.4C17.4 14.4 21.2 16 24 20.6z",
    ],
    lines: ["M13.2 36.6h21.6"],
    dots: [],
  },
};
