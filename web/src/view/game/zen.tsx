/**
 * Zen by keys and by a button: `z` enters and leaves it, Escape leaves it when there is nothing else to cancel.
 *
 * What is hidden is hidden from eyes alone (`style/zen.css`): a screen reader keeps everything, and what gets the focus is
 * shown.
 */
import { useEffect } from "preact/hooks";
import type { Game } from "zeitnot-client";
import { inputOf } from "../../state/app";
import { cancel } from "../../state/boardInput";
import { isZen } from "../../state/zen";
import type { Store } from "../../store";
import { useApp, useStore, useText } from "../context";
import { isForDialog } from "../Dialog";
import { hasModifier } from "../modifiers";

/** `isAsking`: Escape answers a question first. */
export function useZenKeys(game: Game, isAsking: boolean): void {
  const store = useStore();
  useEffect(() => {
    const keys = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement;
      if (hasModifier(event) || isForDialog(event)) return;
      const isTyping = /^(INPUT|SELECT|TEXTAREA)$/u.test(target.tagName);
      if (event.key === "z" && !isTyping && game.phase !== "ended") change(store, !store.state.settings.zen);
      else if (event.key === "Escape" && !isAsking && isZen(store.state) && isIdle(store, game)) change(store, false);
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    // Before the board, which keeps its keys to itself.
    addEventListener("keydown", keys, { capture: true });
    return () => removeEventListener("keydown", keys, { capture: true });
  }, [game, isAsking]);
}

function isIdle(store: Store, game: Game): boolean {
  const input = inputOf(store.state, game.id);
  return input.proof === null && cancel(input) === input;
}

function change(store: Store, zen: boolean): void {
  store.change({ zen });
  store.say(zen ? store.text.settings.zenOn : store.text.settings.zenOff);
}

/** In the header, where nothing else is shown meanwhile. The board gets its focus. */
export function LeaveZen() {
  const store = useStore();
  const text = useText();
  if (!useApp(isZen)) return null;
  const leave = (): void => {
    change(store, false);
    document.querySelector<HTMLElement>("[role=grid] [tabindex='0']")?.focus({ preventScroll: true });
  };
  return (
    <button type="button" class="zen-leave" onClick={leave}>
      {text.settings.zenLeave}
    </button>
  );
}
