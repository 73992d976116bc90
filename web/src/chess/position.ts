/**
 * A position read from FEN, and a move played on it.
 *
 * It plays moves that the server has accepted and checks nothing. Castling in UCI is the king's two steps or the king
 * capturing its own rook; both are understood.
 */
import {
  type Color,
  type Piece,
  type Role,
  type Square,
  fileOf,
  nameOf,
  other,
  rankOf,
  readUci,
  squareAt,
  squareOf,
} from "./square";

export interface Position {
  /** 64 squares from a1. */
  readonly board: readonly (Piece | null)[];
  readonly turn: Color;
  /** The rooks that may still castle. */
  readonly castling: readonly Square[];
  readonly enPassant: Square | null;
  /** Plies since the last capture or pawn move. */
  readonly quiet: number;
  readonly fullmove: number;
}

export const START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

function readBoard(text: string): (Piece | null)[] {
  const board: (Piece | null)[] = new Array<Piece | null>(64).fill(null);
  text.split("/").forEach((row, index) => {
    let file = 0;
    for (const char of row) {
      if (/\d/.test(char)) {
        file += Number(char);
        continue;
      }
      const role = char.toLowerCase() as Role;
      const square = squareAt(file, 7 - index);
      if (square !== null) board[square] = { color: char === role ? "black" : "white", role };
      file += 1;
    }
  });
  return board;
}

/** The rook of a castling letter: K and Q mean the outermost one on that side of the king, A to H the file. */
function rookOf(board: readonly (Piece | null)[], letter: string): Square | null {
  const color: Color = letter === letter.toUpperCase() ? "white" : "black";
  const rank = color === "white" ? 0 : 7;
  const files = [0, 1, 2, 3, 4, 5, 6, 7];
  const has = (file: number, role: Role): boolean => {
    const piece = board[rank * 8 + file];
    return piece?.role === role && piece.color === color;
  };
  const king = files.find((file) => has(file, "k"));
  if (king === undefined) return null;
  const upper = letter.toUpperCase();
  let file: number | undefined;
  if (upper === "K") file = files.filter((f) => f > king && has(f, "r")).pop();
  else if (upper === "Q") file = files.find((f) => f < king && has(f, "r"));
  else file = upper.charCodeAt(0) - 65;
  return file === undefined ? null : rank * 8 + file;
}

export function readFen(fen: string): Position {
  const [placement = "", turn = "w", castling = "-", enPassant = "-", quiet = "0", fullmove = "1"] = fen
    .trim()
    .split(/\s+/);
  const board = readBoard(placement);
  const rooks =
    castling === "-" ? [] : [...castling].map((letter) => rookOf(board, letter)).filter((s): s is Square => s !== null);
  return {
    board,
    turn: turn === "b" ? "black" : "white",
    castling: rooks,
    enPassant: squareOf(enPassant),
    quiet: Number(quiet) || 0,
    fullmove: Number(fullmove) || 1,
  };
}

/** Where king and rook go when this move castles, else null. */
export function castlingOf(
  position: Position,
  from: Square,
  to: Square,
): { rook: Square; kingTo: Square; rookTo: Square } | null {
  const king = position.board[from];
  if (king?.role !== "k") return null;
  const target = position.board[to];
  let rook: Square | undefined;
  if (target?.role === "r" && target.color === king.color) rook = to;
  else if (rankOf(from) === rankOf(to) && Math.abs(fileOf(to) - fileOf(from)) === 2) {
    rook = position.castling.find((s) => rankOf(s) === rankOf(from) && s > from === to > from);
  }
  if (rook === undefined) return null;
  const base = rankOf(from) * 8;
  return rook > from ? { rook, kingTo: base + 6, rookTo: base + 5 } : { rook, kingTo: base + 2, rookTo: base + 3 };
}

export function isCapture(position: Position, from: Square, to: Square): boolean {
  if (castlingOf(position, from, to)) return false;
  return position.board[to] != null || (position.board[from]?.role === "p" && to === position.enPassant);
}

/** The position after a move that the server accepted. */
export function play(position: Position, uci: string): Position {
  const move = readUci(uci);
  const piece = move && position.board[move.from];
  if (!move || !piece) return position;
  const { from, to, promotion } = move;
  const board = [...position.board];
  const castles = castlingOf(position, from, to);
  const pawn = piece.role === "p";
  const capture = isCapture(position, from, to);
  board[from] = null;
  if (castles) {
    board[castles.rook] = null;
    board[castles.kingTo] = piece;
    board[castles.rookTo] = { color: piece.color, role: "r" };
  } else {
    if (pawn && to === position.enPassant) board[to + (piece.color === "white" ? -8 : 8)] = null;
    board[to] = promotion ? { color: piece.color, role: promotion } : piece;
  }
  const homeRank = piece.color === "white" ? 0 : 7;
  return {
    board,
    turn: other(position.turn),
    castling: position.castling.filter(
      (s) => s !== from && s !== to && !(piece.role === "k" && rankOf(s) === homeRank),
    ),
    enPassant: pawn && Math.abs(to - from) === 16 ? (from + to) / 2 : null,
    quiet: pawn || capture ? 0 : position.quiet + 1,
    fullmove: position.fullmove + (position.turn === "black" ? 1 : 0),
  };
}

/** What stands before a move that is made in this position: `12.`, for Black `12…`. */
export function moveNumber({ fullmove, turn }: Pick<Position, "fullmove" | "turn">): string {
  return `${fullmove}${turn === "white" ? "." : "…"}`;
}

/** The FEN of a position. Castling rights are written as files, as Shredder-FEN has it, where K and Q would be unclear. */
export function writeFen(position: Position): string {
  const rows: string[] = [];
  for (let rank = 7; rank >= 0; rank -= 1) {
    let row = "";
    let empty = 0;
    for (let file = 0; file < 8; file += 1) {
      const piece = position.board[rank * 8 + file];
      if (!piece) {
        empty += 1;
        continue;
      }
      if (empty) row += String(empty);
      empty = 0;
      row += piece.color === "white" ? piece.role.toUpperCase() : piece.role;
    }
    rows.push(row + (empty ? String(empty) : ""));
  }
  const rights = [...position.castling]
    .sort((a, b) => a - b || 0)
    .map((rook) => {
      const white = rankOf(rook) === 0;
      const king = position.board.findIndex((p) => p?.role === "k" && p.color === (white ? "white" : "black"));
      const letter = rook > king ? "K" : "Q";
      const usual = rookOf(position.board, white ? letter : letter.toLowerCase()) === rook;
      const text = usual ? letter : nameOf(rook).charAt(0).toUpperCase();
      return { order: (white ? 0 : 2) + (rook > king ? 0 : 1), text: white ? text : text.toLowerCase() };
    })
    .sort((a, b) => a.order - b.order)
    .map((right) => right.text)
    .join("");
  const turn = position.turn === "white" ? "w" : "b";
  const enPassant = position.enPassant === null ? "-" : nameOf(position.enPassant);
  return `${rows.join("/")} ${turn} ${rights || "-"} ${enPassant} ${position.quiet} ${position.fullmove}`;
}
