/**
 * The keys of a game's page outside fields and the board: steps through the game or its proof, turning the board, taking
 * back what was begun, and the way into the chat.
 */
import { useEffect } from "preact/hooks";
import type { Game } from "../../state/game";
import { proofMoves } from "../../state/proof";
import { type Table, cancel, proveTo, stepTo } from "../../state/table";
import { useStore } from "../context";

function stepped(table: Table, game: Game, key: string): Table | null {
  const { plyCount } = game;
  const proof = proofMoves(game.outcome).length;
  const far = table.proof === null ? plyCount : proof;
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -far, ArrowDown: far, Home: -far, End: far }[key];
  if (by === undefined) return null;
  if (table.proof !== null) return proveTo(table, table.proof + by, proof);
  return stepTo(table, Math.max(0, (table.cursor ?? far) + by), far);
}

export function useKeys(game: Game, table: Table, flip: () => void): void {
  const store = useStore();
  useEffect(() => {
    const keys = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement;
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
      if (/^(INPUT|SELECT|TEXTAREA)$/u.test(target.tagName) || target.closest("[role=dialog]")) return;
      const next = stepped(table, game, event.key);
      if (next) store.table(game.id, () => next);
      else if (event.key === "f") flip();
      else if (event.key === "c") openChat(store);
      else if (event.key === "Escape") store.table(game.id, (old) => (old.proof === null ? cancel(old) : proveTo(old, null, 0)));
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", keys);
    return () => removeEventListener("keydown", keys);
  }, [game, table]);
}

/** Shows the chat if it is hidden, and goes there. */
export function openChat(store: ReturnType<typeof useStore>): void {
  store.change({ hideChat: false });
  requestAnimationFrame(() => document.getElementById("chat-input")?.focus());
}
