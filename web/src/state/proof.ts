/**
 * A proof that can be shown on the board: the moves of both sides by which checkmate was still possible.
 *
 * Pure, and no search: the server's moves are played from the final position.
 */
import type { OutcomeView } from "#protocol";
import { type Position, play } from "../chess/position";

const NONE: readonly string[] = [];

/** The moves of a proof, in UCI; none if it has no line, or one too long to be sent. */
export function proofMoves(outcome: OutcomeView | null): readonly string[] {
  const proof = outcome?.proof;
  return typeof proof === "object" && "helpmate" in proof ? proof.helpmate : NONE;
}

/**
 * Whether the result is what it is because of its proof: no checkmate was possible. A line to checkmate only confirms
 * the loss of whoever ran out of time or resigned.
 */
export function isDecidedByProof({ proof }: OutcomeView): boolean {
  return proof !== undefined && !(typeof proof === "object" && "helpmate" in proof);
}

/**
 * Whether there is something to say of the proof. After a resignation only a proof that decided matters: that checkmate was
 * still possible is what everybody takes for granted (5.1.2).
 */
export function isProofTold(outcome: OutcomeView): boolean {
  return isDecidedByProof(outcome) || outcome.reason !== "resignation";
}

/** The positions of the proof: the final one of the game, then one after each move. */
export function proofPositions(end: Position, moves: readonly string[]): readonly Position[] {
  const positions = [end];
  for (const uci of moves) positions.push(play(positions[positions.length - 1] ?? end, uci));
  return positions;
}
