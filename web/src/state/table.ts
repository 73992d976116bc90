/**
 * What a person does at a board before the server hears of it: piece in hand, premove, promotion choice, steps back,
 * the side at the bottom, and the move that is on its way.
 *
 * Pure. It knows the legal moves as the server's list and never adds to them; a premove is only a wish.
 */
import { type Position, castlingOf, play } from "../chess/position";
import { playable, reach } from "../chess/reach";
import { type Color, type Role, type Square, rankOf, readUci, writeUci } from "../chess/square";

export interface Sent {
  readonly on: number;
  readonly uci: string;
}

export interface Table {
  readonly flipped: boolean;
  /** The ply looked at; null: the game as it stands. */
  readonly cursor: number | null;
  readonly picked: Square | null;
  readonly premove: string | null;
  readonly promoting: { readonly from: Square; readonly to: Square } | null;
  readonly sent: Sent | null;
  /** How far the proof of the result is played out; null: it is not looked at. */
  readonly proof: number | null;
}

export const EMPTY_TABLE: Table = { flipped: false, cursor: null, picked: null, premove: null, promoting: null, sent: null, proof: null };

/** What the person at the board may do: move by the server's list, wish for a move ahead, or only look. */
export type Hand =
  | { readonly kind: "move"; readonly legal: readonly string[]; readonly color: Color }
  | { readonly kind: "premove"; readonly color: Color }
  | { readonly kind: "look" };

export interface Step {
  readonly table: Table;
  /** A complete move to send now. */
  readonly play?: string;
}

/** The position as this person sees it: with the move on its way already made. */
export function seen(position: Position, table: Table, on: number): Position {
  return table.sent?.on === on ? play(position, table.sent.uci) : position;
}

/** Where the piece on `from` may go. Castling shows on the king's goal and on the rook. */
export function targets(position: Position, hand: Hand, from: Square): Square[] {
  const piece = position.board[from];
  if (hand.kind === "look" || !piece || piece.color !== hand.color) return [];
  if (hand.kind === "premove") return reach(position, from);
  const found = new Set<Square>();
  for (const uci of hand.legal) {
    const move = readUci(uci);
    if (move?.from !== from) continue;
    found.add(move.to);
    const castles = castlingOf(position, move.from, move.to);
    if (castles) {
      found.add(castles.rook);
      if (castles.kingTo !== from && position.board[castles.kingTo]?.color !== piece.color) found.add(castles.kingTo);
    }
  }
  return [...found];
}

function isPromotion(position: Position, from: Square, to: Square): boolean {
  const piece = position.board[from];
  return piece?.role === "p" && rankOf(to) === (piece.color === "white" ? 7 : 0);
}

/** The move from one square to another as the server writes it, or null if there is none. */
function moveOf(position: Position, hand: Hand, from: Square, to: Square, promotion: Role | null): string | null {
  const uci = writeUci(from, to, promotion);
  if (hand.kind === "premove") return uci;
  if (hand.kind !== "move") return null;
  if (hand.legal.includes(uci)) return uci;
  // A castling aimed at the other of its two squares.
  const aimed = (text: string): boolean => {
    const move = readUci(text);
    const castles = move?.from === from ? castlingOf(position, move.from, move.to) : null;
    return castles !== null && (castles.rook === to || castles.kingTo === to);
  };
  return hand.legal.find(aimed) ?? null;
}

function commit(table: Table, hand: Hand, uci: string): Step {
  const cleared = { ...table, picked: null, promoting: null };
  if (hand.kind === "premove") return { table: { ...cleared, premove: uci } };
  return { table: { ...cleared, premove: null }, play: uci };
}

/** A move by drag or by two taps. Asks for the piece first when a pawn promotes. */
export function aim(table: Table, position: Position, hand: Hand, from: Square, to: Square): Step {
  if (!targets(position, hand, from).includes(to)) return { table: { ...table, picked: null } };
  if (isPromotion(position, from, to)) return { table: { ...table, picked: null, promoting: { from, to } } };
  const uci = moveOf(position, hand, from, to, null);
  return uci === null ? { table: { ...table, picked: null } } : commit(table, hand, uci);
}

/** A tap, or Enter on a square: picks up, puts down, moves, or takes a premove back. */
export function tap(table: Table, position: Position, hand: Hand, square: Square): Step {
  if (hand.kind === "look") return { table };
  if (table.picked !== null && table.picked !== square && targets(position, hand, table.picked).includes(square)) {
    return aim(table, position, hand, table.picked, square);
  }
  if (table.premove !== null && hand.kind === "premove") {
    const own = position.board[square]?.color === hand.color;
    return { table: { ...table, premove: null, picked: own && table.picked !== square ? square : null } };
  }
  return { table: pick(table, position, hand, square) };
}

/** Takes the piece on a square in hand; puts it back when it is there already. */
export function pick(table: Table, position: Position, hand: Hand, square: Square): Table {
  const own = hand.kind !== "look" && position.board[square]?.color === hand.color;
  return { ...table, picked: own && table.picked !== square ? square : null };
}

/** The piece for a pawn that reached the last rank; null puts the pawn back. */
export function promote(table: Table, position: Position, hand: Hand, role: Role | null): Step {
  const { promoting } = table;
  if (!promoting || role === null) return { table: { ...table, promoting: null } };
  const uci = moveOf(position, hand, promoting.from, promoting.to, role);
  return uci === null ? { table: { ...table, promoting: null } } : commit(table, hand, uci);
}

/** Takes back whatever was begun: promotion, piece in hand, premove, in this order. */
export function cancel(table: Table): Table {
  if (table.promoting) return { ...table, promoting: null };
  if (table.picked !== null) return { ...table, picked: null };
  return { ...table, premove: null };
}

/** Steps through the game; beyond its last ply one is back in the present. */
export function stepTo(table: Table, ply: number, plyCount: number): Table {
  const cursor = ply >= plyCount ? null : Math.max(0, ply);
  return { ...table, cursor, picked: null, promoting: null, proof: null };
}

/** Steps through the proof of a result: 0 is the game's last position. Null goes back to the game. */
export function proveTo(table: Table, move: number | null, length: number): Table {
  return { ...table, cursor: null, proof: move === null ? null : Math.min(length, Math.max(0, move)) };
}

/** What a new turn makes of the table: the premove is played if it is legal now, and forgotten if it is not. */
export function onTurn(table: Table, position: Position, legal: readonly string[]): Step {
  const begun = table.promoting && position.board[table.promoting.from] ? table.promoting : null;
  const rest: Table = { ...table, sent: null, premove: null, promoting: begun };
  if (table.premove === null) return { table: rest };
  const uci = playable(table.premove, legal, position);
  return uci === null ? { table: rest } : { table: { ...rest, cursor: null }, play: uci };
}

/** What the end of the game, or a takeback, makes of it. */
export function putAway(table: Table): Table {
  return { ...table, picked: null, premove: null, promoting: null, sent: null };
}
