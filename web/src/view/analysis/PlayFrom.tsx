/**
 * The button that begins a game from the position shown, and its dialog: the form for a custom game, with the clock of the
 * pool that was joined last. Not where no move is possible.
 */
import { useState } from "preact/hooks";
import { START_FEN } from "../../chess/position";
import { setupOfPool } from "../../state/setup";
import { useApp, useText } from "../context";
import { Dialog } from "../Dialog";
import { NewGame } from "../home/NewGame";

interface Props {
  readonly fen: string;
  /** Whether castling is written as in Chess960. */
  readonly chess960: boolean;
}

export function PlayFrom({ fen, chess960 }: Props) {
  const { analysis } = useText();
  const pool = useApp((app) => app.settings.pool);
  const [isOpen, open] = useState(false);
  const first = { ...setupOfPool(pool), fen: fen === START_FEN ? "" : fen, chess960 };
  return (
    <>
      <button type="button" onClick={() => open(true)}>
        {analysis.playFrom}
      </button>
      {isOpen && (
        <Dialog title={analysis.playFrom} class="challenge-dialog" closesBeside close={() => open(false)}>
          <NewGame first={first} close={() => open(false)} />
        </Dialog>
      )}
    </>
  );
}
