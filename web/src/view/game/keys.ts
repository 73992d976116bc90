/**
 * The keyboard shortcuts of a game's page outside inputs and the board, the arrows in the empty line for moves too: stepping through the game or its proof, flipping
 * the board, confirming and cancelling, and the chat.
 */
import { useEffect } from "preact/hooks";
import type { Game } from "zeitnot-client";
import { proofMoves } from "../../state/proof";
import { type App, inputOf } from "../../state/app";
import { type BoardInput, cancel, confirm, proveTo, stepTo } from "../../state/boardInput";
import { useStore } from "../context";
import { isForDialog } from "../Dialog";
import { hasModifier } from "../modifiers";

/** The input for typed moves. */
export const TYPED_LINE = "typed-line";

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -Infinity,
  ArrowDown: Infinity,
  Home: -Infinity,
  End: Infinity,
};

/** Steps through the proof if it is open, else through the game. */
export function stepped(input: BoardInput, game: Game, by: number): BoardInput {
  if (input.proof !== null) return proveTo(input, input.proof + by, proofMoves(game.outcome).length);
  return stepTo(input, Math.max(0, (input.cursor ?? game.plyCount) + by), game.plyCount);
}

export function useKeys(game: Game, flip: () => void): void {
  const store = useStore();
  useEffect(() => {
    const keys = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement;
      if (event.defaultPrevented || hasModifier(event)) return;
      const by = STEPS[event.key];
      if (isForDialog(event)) return;
      // The line for moves has no use for these while it is empty.
      const isOfBoard = by !== undefined || event.key === "Enter" || event.key === "Escape";
      const isFree = isOfBoard && target.id === TYPED_LINE && (target as HTMLInputElement).value === "";
      if (/^(INPUT|SELECT|TEXTAREA)$/u.test(target.tagName) && !isFree) return;
      if (by !== undefined) store.updateInput(game.id, (old) => stepped(old, game, by));
      else if (event.key === "Enter" && isConfirming(store.state, game, target)) confirmOn(store, game);
      else if (event.key === "f") flip();
      else if (event.key === "c") openChat(store, true);
      else if (event.key === "Escape")
        store.updateInput(game.id, (old) => (old.proof === null ? cancel(old) : proveTo(old, null, 0)));
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", keys);
    return () => removeEventListener("keydown", keys);
  }, [game]);
}

/** Enter confirms the move that is drawn, unless it means what has the focus. */
function isConfirming(app: App, game: Game, target: HTMLElement): boolean {
  return inputOf(app, game.id).confirming !== null && target.closest("button, a, summary") === null;
}

function confirmOn(store: ReturnType<typeof useStore>, game: Game): void {
  store.applyInput(game, confirm(inputOf(store.state, game.id)));
}

/** Of the line below the game that opens the chat on a phone. */
export const CHAT_LINE = "chat-line";

/** Shows the chat if it is hidden, and focuses its input: on a phone only by a key, as a keyboard would cover the board. */
export function openChat(store: ReturnType<typeof useStore>, byKey: boolean): void {
  const line = document.getElementById(CHAT_LINE);
  const focus = (): boolean => {
    const input = document.getElementById("chat-input");
    if (line === null || byKey) input?.focus();
    return input !== null;
  };
  // The next key already belongs to the chat.
  if (focus()) return;
  if (line) line.click();
  else store.change({ hideChat: false });
  requestAnimationFrame(focus);
}
