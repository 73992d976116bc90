/**
 * A button that opens a list of links and buttons. Escape, a click beside it, and whatever takes the focus elsewhere close
 * it; after a choice the focus is on the button again.
 *
 * The style sheets say on which side of the button the list opens. Where the window ends there, the list moves into it.
 */
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";

interface Props {
  readonly label: string;
  readonly class: string;
  /** What is on the button. */
  readonly face: ComponentChildren;
  /** The list. `choose` closes it and then does what was chosen. */
  children(choose: (what: () => void) => void): ComponentChildren;
}

export function Menu({ label, class: name, face, children }: Props) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [isOpen, open] = useState(false);
  useLayoutEffect(() => {
    if (isOpen && list.current) moveIntoWindow(list.current);
  }, [isOpen]);
  const choose = (what: () => void): void => {
    // Here the focus comes back to when a dialog closes.
    button.current?.focus();
    open(false);
    what();
  };
  return (
    <div
      ref={box}
      class="menu"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isOpen) return;
        event.stopPropagation();
        choose(() => undefined);
      }}
      onFocusOut={(event) => {
        if (event.relatedTarget instanceof Node && !box.current?.contains(event.relatedTarget)) open(false);
      }}
    >
      <button
        ref={button}
        type="button"
        class={name}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={label}
        title={label}
        onClick={() => open(!isOpen)}
      >
        {face}
      </button>
      {isOpen && <div class="menu-ground" onClick={() => open(false)} />}
      <ul ref={list} id={id} class="menu-items" hidden={!isOpen}>
        {isOpen && children(choose)}
      </ul>
    </div>
  );
}

/** Between the list and the edge of the window, in px. */
const EDGE = 8;

function moveIntoWindow(list: HTMLElement): void {
  list.style.translate = "";
  const { left, right, top, bottom } = list.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  list.style.translate = `${inside(left, right, clientWidth)}px ${inside(top, bottom, clientHeight)}px`;
}

/** How far what reaches from `first` to `last` moves, so that it ends before the room does, and begins in it. */
const inside = (first: number, last: number, room: number): number =>
  Math.max(Math.min(0, room - EDGE - last), EDGE - first);

interface ItemProps {
  readonly label: string;
  /** What it does, in a sentence. */
  readonly about?: string;
  /** Whether a line parts it from what stands above. */
  readonly begins?: boolean;
  act(): void;
}

/** An entry that does something. */
export function MenuItem({ label, about, begins = false, act }: ItemProps) {
  return (
    <li class={begins ? "menu-part" : ""}>
      <button type="button" class="plain" title={about} onClick={act}>
        {label}
      </button>
    </li>
  );
}
