/** What is drawn on the board for the computer's move: its arrow, and a circle around what it captures. Pure. */
import { type Position, isCapture } from "../../chess/position";
import { readUci } from "../../chess/square";
import type { Drawing } from "../drawing";

/** None without a move. */
export function hintsOf(position: Position, uci: string | null): readonly Drawing[] {
  const move = uci === null ? null : readUci(uci);
  if (!move) return [];
  const { from, to } = move;
  const arrow: Drawing = { from, to, color: "blue" };
  return isCapture(position, from, to) ? [{ ...arrow, from: to }, arrow] : [arrow];
}
