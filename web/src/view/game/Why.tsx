/**
 * Why a game has its result, in plain words, for whoever asks: a button on the line of the reason, and what it opens. The
 * moves at which a repeated position stood show it on the board, and the one that is shown is marked; a proof with moves can
 * be played there. Escape closes it.
 *
 * Where a proof decided nobody needs to ask: `Result` says it.
 */
import { useEffect, useRef } from "preact/hooks";
import type { OutcomeView, WireReason } from "#protocol";
import { type Game, turnOf } from "zeitnot-client";
import { proveTo, stepTo } from "../../state/boardInput";
import { isDecidedByProof, proofMoves } from "../../state/proof";
import { showDecision, showStood } from "../../text/stood";
import { showProven } from "../../text/words";
import { useStore, useText } from "../context";
import { isForDialog } from "../Dialog";

/** Ends of which their name says all. */
const SAYS_ALL: ReadonlySet<string> = new Set<WireReason>(["resignation", "agreement", "aborted"]);

/** Whether there is more to say than the reason. */
export function isAsked(outcome: OutcomeView): boolean {
  return !isDecidedByProof(outcome) && !SAYS_ALL.has(outcome.reason);
}

/** The button gets the focus back when Escape closes what it has opened. */
const WHY = "why";

export function WhyButton({ isOpen, toggle }: { readonly isOpen: boolean; toggle(): void }) {
  const text = useText().result;
  return (
    <button
      type="button"
      id={WHY}
      class="why"
      aria-label={text.why}
      title={text.why}
      aria-expanded={isOpen}
      aria-controls="because"
      onClick={toggle}
    >
      {text.whyShort}
    </button>
  );
}

interface BecauseProps {
  readonly game: Game;
  /** After how many plies the position is that is shown. */
  readonly ply: number;
  readonly outcome: OutcomeView;
  close(): void;
}

/** It comes into sight as it is opened. */
export function Because({ game, ply, outcome, close }: BecauseProps) {
  const store = useStore();
  const text = useText();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.scrollIntoView({ block: "nearest" }), []);
  useEffect(() => {
    // Before the keys of the page; a menu or a dialog that is open has the key for itself.
    const keys = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      if (isForDialog(event)) return;
      event.preventDefault();
      close();
      document.getElementById(WHY)?.focus();
    };
    document.addEventListener("keydown", keys);
    return () => document.removeEventListener("keydown", keys);
  }, []);
  const proven = showProven(text, outcome, turnOf(game.fen));
  const moves = proven ? proofMoves(outcome) : [];
  const stood = showStood(text, game);
  const show = (ply: number): void => {
    store.updateInput(game.id, (old) => stepTo(old, ply, game.plyCount));
    document.querySelector(".board-frame")?.scrollIntoView({ block: "nearest" });
  };
  const prove = (): void => {
    // The result comes back without it, and with all that stands below.
    close();
    store.updateInput(game.id, (old) => proveTo(old, 0, moves.length));
  };
  return (
    <div class="because" id="because" role="group" aria-label={text.result.why} ref={place}>
      <p>
        {showDecision(text, game, outcome)}
        {stood.length > 0 && " "}
        {stood.map((part) =>
          typeof part === "string" ? (
            part
          ) : (
            <button
              type="button"
              class="stood"
              key={part.ply}
              aria-current={part.ply === ply ? "step" : undefined}
              onClick={() => show(part.ply)}
            >
              {part.words}
            </button>
          ),
        )}
        {proven && ` ${proven}`}
      </p>
      {moves.length > 0 && (
        <button type="button" onClick={prove}>
          {text.play.proof.show}
        </button>
      )}
    </div>
  );
}
