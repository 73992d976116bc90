/**
 * The keys and the ARIA of a field with a list of suggestions below it, as the combobox pattern has them: arrow keys choose in the
 * list, Enter takes what is chosen, Escape closes it, and the focus stays in the field. Enter with nothing chosen closes it, too:
 * what the form then finds is not covered. Of a list that has closed nothing is chosen. Finds nothing and draws nothing.
 */
import { useId, useLayoutEffect, useState } from "preact/hooks";

interface Props<T> {
  readonly all: readonly T[];
  /** Whether something may be shown below the field, and whether it is: suggestions, or that there are none. */
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
  const isListed = isShown && all.length > 0;
  const active = isListed && at !== null ? (all[at] ?? null) : null;
  useLayoutEffect(() => {
    if (!isShown) setAt(null);
  }, [isShown]);
  // A long list scrolls along.
  useLayoutEffect(() => {
    if (at !== null) intoView(document.getElementById(`${id}-${at}`));
  }, [at]);
  const choose = (one: T): void => {
    open(false);
    take(one);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const taken = event.key === "Enter" ? (active ?? meant?.() ?? null) : null;
    if (taken !== null) {
      event.preventDefault();
      choose(taken);
    } else if (event.key === "Enter") {
      open(false);
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
      "aria-expanded": isListed,
      "aria-controls": isListed ? `${id}-list` : undefined,
      "aria-activedescendant": active === null ? undefined : `${id}-${at}`,
      onKeyDown,
    } as const,
    list: { id: `${id}-list`, role: "listbox" } as const,
    option: (n: number) =>
      ({
        id: `${id}-${n}`,
        class: "suggestion",
        role: "option",
        "aria-selected": n === at,
        onClick: () => {
          const one = all[n];
          if (one !== undefined) choose(one);
        },
      }) as const,
  };
}

/** Of all that is shown below the field: a press there leaves the focus in the field, which would close it. */
export function keepFocus(event: PointerEvent): void {
  event.preventDefault();
}

/** As a list that begins at the end of the window, whose page then scrolls as far as it is long. */
export function intoView(part: Element | null): void {
  part?.scrollIntoView({ block: "nearest" });
}
