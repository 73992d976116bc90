/**
 * Moves as people type them: UCI, or SAN with the letters of their language or with the English ones, matched against a
 * list of possible moves.
 *
 * The list is the server's legal moves, or premoves; nothing here knows the rules. Ambiguous input is rejected, never
 * guessed; small letters will do where only one move can be meant.
 */
import { type Position, castlingOf } from "./position";
import { type Role, fileOf, nameOf, readUci } from "./square";

/** The letter of each piece in moves; a pawn has none. */
export type Letters = Readonly<Record<Role, string>>;

const ENGLISH: Letters = { p: "", n: "N", b: "B", r: "R", q: "Q", k: "K" };
const ROLES: readonly Role[] = ["n", "b", "r", "q", "k"];

export type Typed = { readonly kind: "move"; readonly uci: string } | { readonly kind: "none" | "several" };

/** The move that `text` means among `moves` in `position`. */
export function readTyped(text: string, moves: readonly string[], position: Position, letters: Letters): Typed {
  const clean = text
    .trim()
    .replace(/[+#!?]+$/u, "")
    .replace(/e\.p\.$/u, "")
    .trim();
  const lower = clean.toLowerCase().replace(/[-\s]/gu, "");
  if (moves.includes(lower)) return { kind: "move", uci: lower };
  const castling = castlingMoves(clean, moves, position);
  if (castling) return only(castling);
  // `bxc4` is a pawn's move, as it is written; `bc4` may be a bishop's as well.
  const written = sanMoves(clean, moves, position, letters);
  if (written.length > 0 && /^\p{Lu}|[x:]/u.test(clean)) return only(written);
  const capital = clean.charAt(0).toUpperCase() + clean.slice(1);
  const meant = capital === clean ? [] : sanMoves(capital, moves, position, letters);
  return only([...new Set([...written, ...meant])]);
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

/** The letters of the language come first: R is the king in French, and the rook where no king can move so. */
function sanMoves(text: string, moves: readonly string[], position: Position, letters: Letters): string[] {
  const own = movesWith(text, moves, position, letters);
  return own.length > 0 ? own : movesWith(text, moves, position, ENGLISH);
}

function movesWith(text: string, moves: readonly string[], position: Position, letters: Letters): string[] {
  const match = /^(\p{Lu}?)([a-h]?)([1-8]?)[x:-]?([a-h][1-8])(?:=?\(?(\p{L})\)?)?$/u.exec(text);
  if (!match) return [];
  const [, letter = "", file = "", rank = "", to = "", promotes] = match;
  const roleOf = (of: string): Role | undefined => ROLES.find((role) => letters[role] === of.toUpperCase());
  const role = letter === "" ? "p" : roleOf(letter);
  const promotion = promotes === undefined ? null : roleOf(promotes);
  if (role === undefined || promotion === undefined) return [];
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
