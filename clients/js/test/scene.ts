/** A game's messages as the server writes them, for tests: only what a test does not say itself. */
import type { ServerMessage, Snapshot } from "../../../protocol/bindings/protocol.js";

const START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

export const GAME = "4fzVq0aB9kLm";
export const WHITE = "01935d2e-7f6b-7c3a-9a40-5b8c6d7e8f90";
export const BLACK = "01935d2f-0c11-7e52-8d3f-1a2b3c4d5e6f";
export const AT = { at: 1000, travelled: 0 };

export function snapshot(change: Partial<Snapshot> = {}): Snapshot {
  return {
    game: GAME,
    seq: 1,
    on: 1,
    variant: "standard",
    start_fen: START_FEN,
    fen: START_FEN,
    players: { white: { account: WHITE, name: "Guest-W" }, black: { account: BLACK, name: "Guest-B" } },
    time_control: { kind: "clock", periods: [{ base_ms: 180_000, increment_ms: 2000 }] },
    options: { profile: "fide_online", ilc: "off", no_draw_offer_before_move: 0 },
    ply_count: 0,
    plies: [],
    state: { phase: "playing" },
    white_ms: 180_000,
    black_ms: 180_000,
    began: 1_795_226_400,
    ...change,
  };
}

const FENS = [
  START_FEN,
  "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
  "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
  "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
];
const MOVES = [
  ["e2e4", "e4"],
  ["e7e5", "e5"],
  ["g1f3", "Nf3"],
] as const;

/** The `n`-th move of 1.e4 e5 2.Nf3, from 1, as event `n + 1`. */
export function move(
  n: 1 | 2 | 3,
  clocks: { white_ms?: number | null; black_ms?: number | null } = {},
): Extract<ServerMessage, { t: "move" }> {
  const [uci, san] = MOVES[n - 1] ?? MOVES[0];
  return {
    t: "move",
    d: {
      game: GAME,
      seq: n + 1,
      ply: n,
      uci,
      san,
      fen: FENS[n] ?? START_FEN,
      white_ms: 180_000,
      black_ms: 180_000,
      took: 1000,
      credit: 0,
      ...clocks,
    },
  };
}
