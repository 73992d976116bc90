/**
 * Asks for confirmation of a resignation or a draw offer in the place of the status line, away from the pointer that pressed
 * the button.
 *
 * The focus is on No, and Escape means No wherever the focus is. When the question goes, however that comes, the focus goes
 * back to the button that opened it.
 */
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { GameId } from "#protocol";
import { useStore, useText } from "../context";

/** What is asked about. */
export type Sure = "resign" | "draw";

/** The buttons that open the question: the one that did gets the focus back. */
export const BUTTONS: Readonly<Record<Sure, string>> = { resign: "resign", draw: "offer-draw" };
const NO_BUTTON = "sure-no";

export function focusNo(): void {
  document.getElementById(NO_BUTTON)?.focus();
}

export function SureQuestion({ what, game, close }: { what: Sure; game: GameId; close(): void }) {
  const store = useStore();
  const text = useText().game;
  const words = text.sure[what];
  const place = useRef<HTMLDivElement>(null);
  // With the rendering, not after the next frame: a key pressed at once already belongs to the question.
  useLayoutEffect(() => {
    focusNo();
    const keys = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      close();
    };
    addEventListener("keydown", keys, { capture: true });
    const asked = place.current;
    return () => {
      removeEventListener("keydown", keys, { capture: true });
      if (asked?.contains(document.activeElement)) document.getElementById(BUTTONS[what])?.focus();
    };
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
  const act = (event: MouseEvent): void => {
    // The second click of a double click answers nothing.
    if (event.detail > 1) return;
    close();
    store.send({ t: what === "resign" ? "resign" : "offer_draw", d: { game } });
  };
  return (
    <div ref={place} class={`status question ${what}`} role="group" aria-label={words.question}>
      <p>{words.question}</p>
      <button type="button" class={what === "resign" ? "danger" : "primary"} onClick={act}>
        {words.yes}
      </button>
      <button type="button" id={NO_BUTTON} onClick={close}>
        {text.no}
      </button>
    </div>
  );
}
