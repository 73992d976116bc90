/**
 * What is drawn on the board for the computer: an arrow for its move, with a circle around what that captures, and one of
 * another colour for the move that would have been better than the one that was played, or that it answers. Pure.
 */
import { type Position, isCapture, play } from "../../chess/position";
import { readUci } from "../../chess/square";
import type { Drawing, DrawingColor } from "../drawing";

/** The colour of a move that was missed, on the board and beside the words that name it. */
export const MISSED = "green";

/** Of the moves that are not known nothing. */
export function hintsOf(position: Position, best?: string | null, missed?: string | null): readonly Drawing[] {
  return [...(missed ? arrowOf(missed, MISSED) : []), ...(best ? withCapture(position, best) : [])];
}

/** A move that loses too much, and the answer that shows it. */
export function answerOf(position: Position, wrong: string, answer: string): readonly Drawing[] {
  return [...arrowOf(wrong, "red"), ...withCapture(play(position, wrong), answer)];
}

function withCapture(position: Position, uci: string): readonly Drawing[] {
  return arrowOf(uci, "blue").flatMap((arrow) => {
    const { from, to } = arrow;
    return isCapture(position, from, to) ? [{ ...arrow, from: to }, arrow] : [arrow];
  });
}

function arrowOf(uci: string, color: DrawingColor): readonly Drawing[] {
  const move = readUci(uci);
  return move ? [{ from: move.from, to: move.to, color }] : [];
}
