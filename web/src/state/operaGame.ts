/**
 * A famous game for a home page on which nobody plays: Paul Morphy against the Duke of Brunswick and Count Isouard, in
 * a box of the Paris opera, 1858.
 */
import type { Replayed } from "./replay";

/** Among the PGNs that have an address, those of a tab begin with 1. */
export const OPERA_KEY = "0";

const UCI =
  "e2e4 e7e5 g1f3 d7d6 d2d4 c8g4 d4e5 g4f3 d1f3 d6e5 f1c4 g8f6 f3b3 d8e7 b1c3 c7c6 c1g5 b7b5 c3b5 c6b5 c4b5 b8d7 " +
  "e1c1 a8d8 d1d7 d8d7 h1d1 e7e6 b5d7 f6d7 b3b8 d7b8 d1d8";
const SAN =
  "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 " +
  "O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#";

const sans = SAN.split(" ");

export const OPERA_GAME: Replayed = {
  id: null,
  white: "Paul Morphy",
  black: "Duke of Brunswick, Count Isouard",
  outcome: { score: "1-0", reason: "checkmate" },
  moves: UCI.split(" ").map((uci, index) => ({ uci, san: sans[index] ?? "" })),
};
