/**
 * The question before a move is sent, where the settings ask for it: two buttons, and Enter and Escape anywhere.
 *
 * The clock runs on. It takes no focus: on the board Enter confirms the move that Enter has made.
 */
import { useEffect } from "preact/hooks";
import type { Game } from "zeitnot-client";
import type { Position } from "../../chess/position";
import { inputOf } from "../../state/app";
import { cancel, confirm } from "../../state/boardInput";
import { showUci, speakUci } from "../../text/words";
import { useStore, useText } from "../context";

interface Props {
  readonly game: Game;
  /** In UCI. */
  readonly move: string;
  /** Before the move. */
  readonly position: Position;
}

export function ConfirmMove({ game, move, position }: Props) {
  const store = useStore();
  const text = useText().board;
  const shown = showUci(store.text, move, position);
  useEffect(() => store.say(text.confirmHint(speakUci(store.text, move, position))), [move]);
  return (
    <div class="status confirm" role="group" aria-label={text.confirm(shown)}>
      <p>{text.confirm(shown)}</p>
      <button
        type="button"
        class="primary"
        onClick={() => store.applyInput(game, confirm(inputOf(store.state, game.id)))}
      >
        {text.confirmYes}
      </button>
      <button type="button" onClick={() => store.updateInput(game.id, cancel)}>
        {text.confirmNo}
      </button>
    </div>
  );
}
