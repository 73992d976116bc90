/**
 * The button that begins a game from the position shown, and its dialogs: against whom, and then the form for a game against
 * the computer, as it was chosen last, or for a custom game, with the clock of the pool that was joined last. Not where no
 * move is possible.
 */
import { useState } from "preact/hooks";
import { START_FEN } from "../../chess/position";
import type { Color } from "../../chess/square";
import { setupOfPool } from "../../state/setup";
import { useApp, useText } from "../context";
import { Dialog } from "../Dialog";
import { LaterComputerDialog } from "../home/LaterComputerDialog";
import { NewGame } from "../home/NewGame";
import { useLevels } from "../home/levels";

interface Props {
  readonly id: string;
  readonly fen: string;
  /** Whether castling is written as in Chess960. */
  readonly chess960: boolean;
  /** The side at the bottom of the board: whoever sits there plays it, unless they choose otherwise. */
  readonly bottom: Color;
}

export function PlayFrom({ id, fen, chess960, bottom }: Props) {
  const { account, analysis, lobby } = useText();
  const pool = useApp((app) => app.settings.pool);
  const [shown, show] = useState<"opponents" | "computer" | "person" | null>(null);
  const levels = useLevels(shown !== null) ?? [];
  const from = { fen: fen === START_FEN ? "" : fen, chess960, color: bottom };
  const close = () => show(null);
  return (
    <>
      <button type="button" id={id} aria-haspopup="dialog" onClick={() => show("opponents")}>
        {analysis.playFrom}
      </button>
      {shown === "opponents" && (
        <Dialog title={analysis.playFrom} class="opponents-dialog" closesBeside close={close}>
          <div class="opponents">
            {levels.length > 0 && (
              <button type="button" class="big" aria-haspopup="dialog" onClick={() => show("computer")}>
                {lobby.computer.title}
              </button>
            )}
            <button type="button" class="big" aria-haspopup="dialog" onClick={() => show("person")}>
              {lobby.withFriend}
            </button>
            <button type="button" class="big" onClick={close}>
              {account.cancel}
            </button>
          </div>
        </Dialog>
      )}
      {shown === "computer" && <LaterComputerDialog levels={levels} from={from} close={close} />}
      {shown === "person" && (
        <Dialog title={analysis.playFrom} class="challenge-dialog" closesBeside close={close}>
          <NewGame first={{ ...setupOfPool(pool), ...from }} close={close} />
        </Dialog>
      )}
    </>
  );
}
