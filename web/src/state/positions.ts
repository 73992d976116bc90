/**
 * The positions of a game, ply by ply, for stepping back: played from the start position, as only moves are sent.
 *
 * Keeps the last game's positions, since one more ply is by far the commonest change. Without the early plies
 * (history has not come yet) it knows the position on the board alone.
 */
import { type Game, isComplete } from "zeitnot-client";
import { occurrences } from "../chess/claims";
import { type Position, play, readFen } from "../chess/position";

interface Known {
  readonly start: string;
  readonly moves: readonly string[];
  readonly positions: readonly Position[];
}

let last: Known = { start: "", moves: [], positions: [] };

/** Positions 0 to the ply on the board; only the last one when plies are missing. */
export function positionsOf(game: Game): readonly Position[] {
  const now = readFen(game.fen);
  if (!isComplete(game)) return [now];
  const moves = game.plies.map((ply) => ply.uci);
  if (
    last.start === game.startFen &&
    last.moves.length === moves.length &&
    last.moves.every((move, index) => move === moves[index])
  ) {
    return last.positions;
  }
  const same = last.start === game.startFen ? commonLength(last.moves, moves) : 0;
  const positions = same > 0 ? last.positions.slice(0, same + 1) : [readFen(game.startFen)];
  for (let index = positions.length - 1; index < moves.length; index += 1) {
    const before = positions[index];
    if (before) positions.push(play(before, moves[index] ?? ""));
  }
  // What the server says is on the board is so; it also knows which en passant is none.
  positions[positions.length - 1] = now;
  last = { start: game.startFen, moves, positions };
  return positions;
}

/** Whether the position on the board stood there once before, in a game that ends by itself when it does for the third time. */
export function isRepeated(game: Game): boolean {
  if (game.options.profile !== "fide_online") return false;
  const positions = positionsOf(game);
  // No earlier one can be the same.
  const since = (positions[positions.length - 1]?.quiet ?? 0) + 1;
  return since > 4 && occurrences(positions.slice(-since)).length === 2;
}

function commonLength(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}
