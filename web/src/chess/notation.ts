/**
 * Moves as people type them: UCI, or SAN with English or German letters, matched against a list of possible moves.
 *
 * The list is the server's legal moves, or premoves; nothing here knows the rules. Ambiguous input is rejected, never
 * guessed.
 */
import { type Position, castlingOf } from "./position";
import { type Role, fileOf, nameOf, readUci } from "./square";

/** German letters beside the English ones; no letter has two meanings. */
const LETTERS: Readonly<Record<string, Role>> = {
  K: "k",
  Q: "q",
  R: "r",
  B: "b",
  N: "n",
  D: "q",
  T: "r",
  L: "b",
  S: "n",
};

export type Typed = { readonly kind: "move"; readonly uci: string } | { readonly kind: "none" | "several" };

/** The move that `text` means among `moves` in `position`. */
export function readTyped(text: string, moves: readonly string[], position: Position): Typed {
  const clean = text
    .trim()
    .replace(/[+#!?]+$/u, "")
    .replace(/e\.p\.$/u, "")
    .trim();
  const lower = clean.toLowerCase().replace(/[-\s]/gu, "");
  if (moves.includes(lower)) return { kind: "move", uci: lower };
  return only(castlingMoves(clean, moves, position) ?? sanMoves(clean, moves, position));
}

function only(found: readonly string[]): Typed {
  const [first] = found;
  if (first === undefined) return { kind: "none" };
  return found.length === 1 ? { kind: "move", uci: first } : { kind: "several" };
}

function castlingMoves(text: string, moves: readonly string[], position: Position): string[] | null {
  const castling = /^([0Oo])-?\1(-?\1)?$/u.exec(text);
  if (!castling) return null;
  const long = castling[2] !== undefined;
  const found = moves.filter((uci) => {
    const move = readUci(uci);
    const castles = move && castlingOf(position, move.from, move.to);
    return castles ? castles.rook < move.from === long : false;
  });
  // The king's target and the rook mean the same castling.
  return found.slice(0, 1);
}

function sanMoves(text: string, moves: readonly string[], position: Position): string[] {
  const match = /^([KQRBNDTLS]?)([a-h]?)([1-8]?)[x:-]?([a-h][1-8])(?:=?\(?([QRBNDTLSqrbn])\)?)?$/u.exec(text);
  if (!match) return [];
  const [, letter = "", file = "", rank = "", to = "", promotes] = match;
  const role: Role = LETTERS[letter] ?? "p";
  const promotion = promotes === undefined ? null : (LETTERS[promotes.toUpperCase()] ?? null);
  return moves.filter((uci) => {
    const move = readUci(uci);
    const piece = move && position.board[move.from];
    if (!move || piece?.role !== role || nameOf(move.to) !== to || move.promotion !== promotion) return false;
    // Castling is written with O, never as a king's move.
    if (role === "k" && castlingOf(position, move.from, move.to)) return false;
    // A pawn's capture names its file; without it the pawn goes straight on.
    if (role === "p" && file === "" && fileOf(move.from) !== fileOf(move.to)) return false;
    const from = nameOf(move.from);
    return (file === "" || from.startsWith(file)) && (rank === "" || from.endsWith(rank));
  });
}
