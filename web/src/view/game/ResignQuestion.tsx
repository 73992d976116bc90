/**
 * Asks for confirmation of a resignation in the place of the status line, away from the pointer that pressed Resign.
 *
 * The focus is on No, and Escape means No wherever the focus is.
 */
import { useEffect, useLayoutEffect } from "preact/hooks";
import type { GameId } from "#protocol";
import { useStore, useText } from "../context";

/** The button that opens the question, and gets the focus back. */
export const RESIGN_BUTTON = "resign";
const NO_BUTTON = "resign-no";

export function focusNo(): void {
  document.getElementById(NO_BUTTON)?.focus();
}

export function ResignQuestion({ game, close }: { game: GameId; close(): void }) {
  const store = useStore();
  const text = useText().game;
  const dismiss = (): void => {
    close();
    document.getElementById(RESIGN_BUTTON)?.focus();
  };
  // With the rendering, not after the next frame: a key pressed at once already belongs to the question.
  useLayoutEffect(() => {
    focusNo();
    const keys = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      dismiss();
    };
    addEventListener("keydown", keys, { capture: true });
    return () => removeEventListener("keydown", keys, { capture: true });
  }, []);
  // The second click of a double click may already have moved the focus, whatever is under the pointer by now.
  useEffect(focusNo, []);
  useEffect(() => {
    const clicks = (event: MouseEvent): void => {
      if (event.detail > 1) focusNo();
    };
    addEventListener("click", clicks);
    return () => removeEventListener("click", clicks);
  }, []);
  const resign = (event: MouseEvent): void => {
    // The second click of a double click answers nothing.
    if (event.detail > 1) return;
    close();
    store.send({ t: "resign", d: { game } });
  };
  return (
    <div class="status question" role="group" aria-label={text.resignSure}>
      <p>{text.resignSure}</p>
      <button type="button" id={NO_BUTTON} onClick={dismiss}>
        {text.no}
      </button>
      <button type="button" class="danger" onClick={resign}>
        {text.resignYes}
      </button>
    </div>
  );
}
