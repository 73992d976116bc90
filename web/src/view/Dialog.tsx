/** A modal dialog with a title. Escape closes it, and a click beside it where nothing is lost by that. However it goes, the focus goes back to where it was. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { useCloseBeside } from "./beside";

interface Props {
  readonly title: string;
  readonly class?: string;
  readonly children: ComponentChildren;
  readonly closesBeside?: boolean;
  close(): void;
}

/** Whether a key belongs to a dialog: one has the focus, or is modal, also while nothing in it has the focus. */
export function isForDialog({ target }: KeyboardEvent): boolean {
  const isInside = target instanceof Element && target.closest("dialog, [role=dialog]") !== null;
  return isInside || document.querySelector("dialog:modal") !== null;
}

export function Dialog({ title, class: name = "", children, closesBeside = false, close }: Props) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  useCloseBeside(dialog, closesBeside);
  return (
    <dialog ref={dialog} class={`modal ${name}`} aria-labelledby={id} onClose={close}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}
