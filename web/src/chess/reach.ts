/**
 * The targets of a premove: where a piece could go if the opponent's reply allowed it.
 *
 * Wider than the rules on purpose: blocking pieces may be gone by then, so only the movement of the piece counts. The
 * server's legal moves decide whether the premove is played when the turn comes.
 */
import { type Position, castlingOf } from "./position";
import { type Square, fileOf, rankOf, readUci, squareAt, writeUci } from "./square";

const DIAGONAL = [
  [1, 1],
  [1, -1],
  [-1, 1],
  [-1, -1],
] as const;
const STRAIGHT = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const;
const KNIGHT = [
  [1, 2],
  [2, 1],
  [-1, 2],
  [-2, 1],
  [1, -2],
  [2, -1],
  [-1, -2],
  [-2, -1],
] as const;

function walk(from: Square, steps: readonly (readonly [number, number])[], far: boolean): Square[] {
  const found: Square[] = [];
  for (const [file, rank] of steps) {
    for (let n = 1; n <= (far ? 7 : 1); n += 1) {
      const square = squareAt(fileOf(from) + file * n, rankOf(from) + rank * n);
      if (square === null) break;
      found.push(square);
    }
  }
  return found;
}

/** The squares that the piece on `from` could reach on an empty board or by a capture there. */
export function reach(position: Position, from: Square): Square[] {
  const piece = position.board[from];
  switch (piece?.role) {
    case "n":
      return walk(from, KNIGHT, false);
    case "b":
      return walk(from, DIAGONAL, true);
    case "r":
      return walk(from, STRAIGHT, true);
    case "q":
      return walk(from, [...STRAIGHT, ...DIAGONAL], true);
    case "k":
      return [...walk(from, [...STRAIGHT, ...DIAGONAL], false), ...castles(position, from)];
    case "p": {
      const up = piece.color === "white" ? 1 : -1;
      const steps = [
        squareAt(fileOf(from), rankOf(from) + up),
        squareAt(fileOf(from) - 1, rankOf(from) + up),
        squareAt(fileOf(from) + 1, rankOf(from) + up),
      ];
      if (rankOf(from) === (up === 1 ? 1 : 6)) steps.push(squareAt(fileOf(from), rankOf(from) + 2 * up));
      return steps.filter((square): square is Square => square !== null);
    }
    case undefined:
      return [];
  }
}

/** Castling: the king's two steps from its usual square, and its own rooks. */
function castles(position: Position, from: Square): Square[] {
  const rooks = position.castling.filter((rook) => rankOf(rook) === rankOf(from));
  const steps = fileOf(from) === 4 ? rooks.map((rook) => (rook > from ? from + 2 : from - 2)) : [];
  return [...rooks, ...steps];
}

/** All premoves of the side that is not to move, in UCI; promotions with every piece. */
export function premoves(position: Position): string[] {
  const moves: string[] = [];
  position.board.forEach((piece, from) => {
    if (!piece || piece.color === position.turn) return;
    for (const to of reach(position, from)) {
      const last = rankOf(to) === (piece.color === "white" ? 7 : 0);
      if (piece.role === "p" && last)
        for (const role of ["q", "r", "b", "n"] as const) moves.push(writeUci(from, to, role));
      else moves.push(writeUci(from, to));
    }
  });
  return moves;
}

/** The legal move that a premove means, or null. Castling may be written in either way. */
export function playable(premove: string, legal: readonly string[], position: Position): string | null {
  if (legal.includes(premove)) return premove;
  const rookOf = (uci: string): Square | undefined => {
    const move = readUci(uci);
    return move ? castlingOf(position, move.from, move.to)?.rook : undefined;
  };
  const rook = rookOf(premove);
  return rook === undefined ? null : (legal.find((uci) => rookOf(uci) === rook) ?? null);
}
