/**
 * The dialog for draw claims: what can be claimed by our own count, for the position on the board and for each move.
 *
 * The claim for the position on the board stands out: after a move that is only intended it would be the same draw.
 * A hint only: other claims can be made too, and the server decides.
 */
import { useEffect, useRef } from "preact/hooks";
import type { Game } from "zeitnot-client";
import { type ClaimRule, type Ground, claimsNow } from "../../chess/claims";
import type { Position } from "../../chess/position";
import { showUci } from "../../text/words";
import { useCloseBeside } from "../beside";
import { useStore, useText } from "../context";

interface Props {
  readonly game: Game;
  readonly positions: readonly Position[];
  readonly rule: ClaimRule;
  close(): void;
}

export function ClaimDialog({ game, positions, rule, close }: Props) {
  const store = useStore();
  const text = useText();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  useCloseBeside(dialog);
  const now = positions[positions.length - 1];
  if (!now) return null;
  const found = claimsNow(positions, game.turn?.legal ?? [], rule);
  const claim = (uci: string | null): void => {
    close();
    store.send({
      t: "claim_draw",
      d: uci === null ? { game: game.id, on: game.on } : { game: game.id, on: game.on, uci },
    });
  };
  const why = (ground: Ground): string =>
    ground.rule === "threefold"
      ? text.game.claimThreefold(ground.count, ground.uci !== null)
      : text.game.claimFifty(ground.count);
  const what = (ground: Ground): string =>
    ground.uci === null ? text.game.claimNow : text.game.claimWith(showUci(text, ground.uci, now));
  return (
    <dialog ref={dialog} class="modal" aria-label={text.game.claimTitle} onClose={close}>
      <h2>{text.game.claimTitle}</h2>
      {found.length === 0 && <p>{text.game.claimNothing}</p>}
      <div class="choices-list">
        {found.map((ground, n) => (
          <button
            type="button"
            key={`${ground.uci} ${ground.rule}`}
            class={n === 0 && (ground.uci === null || found.length === 1) ? "primary" : ""}
            onClick={() => claim(ground.uci)}
          >
            <span>
              {what(ground)}: {why(ground)}
            </span>
          </button>
        ))}
        {found.length === 0 && (
          <button type="button" class="danger" onClick={() => claim(null)}>
            {text.game.claimAnyway}
          </button>
        )}
        <button type="button" onClick={close}>
          {text.game.close}
        </button>
      </div>
    </dialog>
  );
}
