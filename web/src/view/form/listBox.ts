/**
 * The keys and the ARIA of a field with a list of suggestions below it, as the combobox pattern has them: arrow keys choose in the
 * list, Enter takes what is chosen, Escape closes it, and the focus stays in the field. Finds nothing and draws nothing.
 */
import { useId, useLayoutEffect, useState } from "preact/hooks";

interface Props<T> {
  readonly all: readonly T[];
  /** Whether the list may be shown, and whether it is: it is not while there is nothing to say. */
  readonly isOpen: boolean;
  readonly isShown: boolean;
  open(isOpen: boolean): void;
  take(one: T): void;
  /** What Enter takes when nothing is chosen. */
  meant?(): T | null;
}

export function useListBox<T>({ all, isOpen, isShown, open, take, meant }: Props<T>) {
  const id = useId();
  const [at, setAt] = useState<number | null>(null);
  const active = isShown && at !== null ? (all[at] ?? null) : null;
  // A long list scrolls along.
  useLayoutEffect(() => {
    if (at !== null) intoView(document.getElementById(`${id}-${at}`));
  }, [at]);
  const choose = (one: T): void => {
    open(false);
    setAt(null);
    take(one);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const taken = event.key === "Enter" ? (active ?? meant?.() ?? null) : null;
    if (taken !== null) {
      event.preventDefault();
      choose(taken);
    } else if (event.key === "Escape" && isOpen) {
      if (isShown) event.stopPropagation();
      open(false);
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && all.length > 0) {
      event.preventDefault();
      open(true);
      const by = event.key === "ArrowDown" ? 1 : -1;
      setAt(at === null ? (by === 1 ? 0 : all.length - 1) : (at + by + all.length) % all.length);
    }
  };
  return {
    /** Other suggestions: none of them is chosen yet. */
    reset: () => setAt(null),
    input: {
      role: "combobox",
      autocomplete: "off",
      spellcheck: false,
      "aria-autocomplete": "list",
      "aria-expanded": isShown,
      "aria-controls": isShown ? `${id}-list` : undefined,
      "aria-activedescendant": active === null ? undefined : `${id}-${at}`,
      onKeyDown,
    } as const,
    list: { id: `${id}-list`, role: "listbox" } as const,
    option: (n: number) =>
      ({
        id: `${id}-${n}`,
        role: "option",
        "aria-selected": n === at,
        // The focus stays in the field.
        onPointerDown: (event: PointerEvent) => event.preventDefault(),
        onClick: () => {
          const one = all[n];
          if (one !== undefined) choose(one);
        },
      }) as const,
  };
}

/** As a list that begins at the end of the window, whose page then scrolls as far as it is long. */
export function intoView(part: Element | null): void {
  part?.scrollIntoView({ block: "nearest" });
}
