/**
 * The result of a game: score, reason, proof, and what can follow: a rematch or another opponent.
 *
 * A proof with moves can be played on the board; its controls then take this place.
 */
import type { Game } from "zeitnot-client";
import type { Color } from "../../chess/square";
import type { Position } from "../../chess/position";
import { proofMoves } from "../../state/proof";
import { type BoardInput, proveTo } from "../../state/boardInput";
import { showPlayedOut, showProof, showResult, showScore } from "../../text/words";
import { useStore, useText } from "../context";
import { ProofSteps } from "./ProofSteps";
import { Rematch } from "./Rematch";

interface Props {
  readonly game: Game;
  readonly seat: Color | null;
  readonly input: BoardInput;
  /** The final position of the game. */
  readonly end: Position;
}

export function Result({ game, seat, input, end }: Props) {
  const store = useStore();
  const text = useText();
  const { outcome } = game;
  if (!outcome) return null;
  const moves = proofMoves(outcome);
  if (input.proof !== null) return <ProofSteps game={game.id} moves={moves} at={input.proof} end={end} />;
  return (
    <div class="status result" role="group" aria-label={text.game.over}>
      <p>
        <strong class="score">{showScore(outcome.score)}</strong> <strong>{showResult(text, outcome, seat)}</strong>
        <span class="reason">{text.reasons[outcome.reason]}</span>
        {outcome.proof !== undefined && <span class="proof">{showProof(text, outcome.proof)}</span>}
        {outcome.played_out && <span class="proof">{showPlayedOut(text, outcome.played_out)}</span>}
      </p>
      {moves.length > 0 && (
        <button type="button" onClick={() => store.updateInput(game.id, (old) => proveTo(old, 0, moves.length))}>
          {text.play.proof.show}
        </button>
      )}
      {seat !== null && <Rematch game={game} />}
    </div>
  );
}
