/**
 * The keys of a game's page outside fields and the board: steps through the game or its proof, turning the board, taking
 * back what was begun, and the way into the chat.
 */
import { useEffect } from "preact/hooks";
import type { Game } from "../../state/game";
import { proofMoves } from "../../state/proof";
import { type BoardInput, cancel, proveTo, stepTo } from "../../state/boardInput";
import { useStore } from "../context";

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -Infinity,
  ArrowDown: Infinity,
  Home: -Infinity,
  End: Infinity,
};

/** A step through the proof if it is looked at, else through the game. */
function stepped(input: BoardInput, game: Game, by: number): BoardInput {
  if (input.proof !== null) return proveTo(input, input.proof + by, proofMoves(game.outcome).length);
  return stepTo(input, Math.max(0, (input.cursor ?? game.plyCount) + by), game.plyCount);
}

export function useKeys(game: Game, flip: () => void): void {
  const store = useStore();
  useEffect(() => {
    const keys = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement;
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
      if (/^(INPUT|SELECT|TEXTAREA)$/u.test(target.tagName) || target.closest("[role=dialog]")) return;
      const by = STEPS[event.key];
      if (by !== undefined) store.updateInput(game.id, (old) => stepped(old, game, by));
      else if (event.key === "f") flip();
      else if (event.key === "c") openChat(store);
      else if (event.key === "Escape")
        store.updateInput(game.id, (old) => (old.proof === null ? cancel(old) : proveTo(old, null, 0)));
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", keys);
    return () => removeEventListener("keydown", keys);
  }, [game]);
}

/** Shows the chat if it is hidden, and goes there. */
export function openChat(store: ReturnType<typeof useStore>): void {
  const focus = (): boolean => {
    const line = document.getElementById("chat-input");
    line?.focus();
    return line !== null;
  };
  // What is typed next belongs there already.
  if (focus()) return;
  store.change({ hideChat: false });
  requestAnimationFrame(focus);
}
