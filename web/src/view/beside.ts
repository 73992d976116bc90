/**
 * A click beside a modal dialog closes it. Only for dialogs in which nothing was typed that would be lost.
 *
 * Browsers do this by themselves with `closedby`, but not all of them. The press has to begin beside the dialog too: who
 * selects a text within it may let go outside.
 */
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

export function useCloseBeside(of: RefObject<HTMLDialogElement | null>, isOn = true): void {
  useEffect(() => {
    const dialog = of.current;
    if (!dialog || !isOn) return;
    let isBegun = false;
    const press = (event: PointerEvent): void => {
      isBegun = isBeside(dialog, event);
    };
    const click = (event: MouseEvent): void => {
      if (isBegun && isBeside(dialog, event)) dialog.close();
      isBegun = false;
    };
    dialog.addEventListener("pointerdown", press);
    dialog.addEventListener("click", click);
    return () => {
      dialog.removeEventListener("pointerdown", press);
      dialog.removeEventListener("click", click);
    };
  }, [isOn]);
}

/** What is beside a modal dialog belongs to its backdrop, and events there have the dialog as their target. */
function isBeside(dialog: HTMLDialogElement, { target, clientX: x, clientY: y }: MouseEvent): boolean {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return target === dialog && (x < left || x > right || y < top || y > bottom);
}
