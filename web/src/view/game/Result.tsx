/**
 * The result of a game in the status line: score and reason, and what can follow.
 *
 * While the card with the result is open, that has the details and the buttons. A proof with moves can be played on the
 * board; its controls then take this place.
 */
import type { Game } from "zeitnot-client";
import type { Position } from "../../chess/position";
import type { Color } from "../../chess/square";
import { proofMoves } from "../../state/proof";
import type { BoardInput } from "../../state/boardInput";
import { useText } from "../context";
import { AnalyseLink } from "./AnalyseLink";
import { ProofSteps } from "./ProofSteps";
import { Rematch } from "./Rematch";
import { Verdict, Words } from "./ResultWords";

/** Whether the card is open, and how to open it. */
export interface CardState {
  readonly isOpen: boolean;
  open(): void;
}

interface Props {
  readonly game: Game;
  readonly seat: Color | null;
  readonly input: BoardInput;
  /** The final position of the game. */
  readonly end: Position;
  readonly card: CardState;
}

/** The button that brings the card back. */
export const DETAILS_BUTTON = "result-details";

export function Result({ game, seat, input, end, card }: Props) {
  const text = useText();
  const { outcome } = game;
  if (!outcome) return null;
  if (input.proof !== null) return <ProofSteps game={game.id} moves={proofMoves(outcome)} at={input.proof} end={end} />;
  if (card.isOpen) {
    return (
      <div class="status result">
        <p>
          <Verdict outcome={outcome} seat={seat} />
        </p>
      </div>
    );
  }
  return (
    <div class="status result" role="group" aria-label={text.game.over}>
      <p>
        <Words outcome={outcome} seat={seat} />
      </p>
      {seat !== null && <Rematch game={game} />}
      <div class="after">
        <AnalyseLink game={game.id} />
        <button type="button" id={DETAILS_BUTTON} onClick={card.open}>
          {text.result.details}
        </button>
      </div>
    </div>
  );
}
