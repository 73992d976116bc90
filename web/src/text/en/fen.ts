/** English: why a FEN is rejected. Each text ends the sentence `analysis.exchange.badFen`. */
import type { FenReason } from "#protocol";
import { sides } from "./pieces";

type Words = { readonly [K in FenReason["kind"]]: (reason: Extract<FenReason, { readonly kind: K }>) => string };

export const fen: Words = {
  field_count: ({ found }) => `a FEN has 4 or 6 fields, this one has ${found > 6 ? "more" : found}`,
  board_character: ({ at, found }) =>
    `character ${at} of the board is “${found}” instead of a piece, a digit from 1 to 8 or a slash`,
  rank_length: ({ rank }) => `rank ${rank} does not have 8 squares`,
  rank_count: () => "the board does not have 8 ranks",
  side_to_move: () => "the side to move is neither w nor b",
  castling_character: ({ at, found }) =>
    `character ${at} of the castling rights is “${found}” instead of K, Q, a file’s letter or a lone “-”`,
  castling_rook: ({ at, color }) =>
    `${sides[color]} has no king and rook on the back rank for character ${at} of the castling rights`,
  castling_twice: ({ at, color }) => `${sides[color]} already has the castling right of character ${at}`,
  en_passant: () => "the en passant field is neither a square nor “-”",
  halfmove_clock: () => "the half-move clock must be a number from 0 to 65535",
  fullmove_number: () => "the move number must be from 0 to 65535",
  kings: ({ color, count }) => `${sides[color]} has ${count === 0 ? "no king" : `${count} kings`}`,
  pawn_on_last_rank: ({ square }) => `there cannot be a pawn on ${square}`,
  opponent_in_check: ({ color }) => `${sides[color]} is in check, but it is not ${sides[color]}’s turn`,
  castling_right: ({ color, rook }) => `${sides[color]} cannot have the right to castle with a rook on ${rook}`,
  en_passant_square: ({ square }) => `no pawn can have passed ${square} with the last move`,
};
