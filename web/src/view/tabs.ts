/**
 * The keys of a row of tabs: the arrow keys, Home and End choose a tab and give it the focus. Each tab has the id `tab-` and its
 * name. What is under a tab, and how it looks, is not here.
 */
import { hasModifier } from "./modifiers";

export function tabKeys<T extends string>(tabs: readonly T[], open: T, choose: (tab: T) => void) {
  return (event: KeyboardEvent): void => {
    const next = hasModifier(event) ? undefined : tabByKey(event.key, tabs, open);
    if (next === undefined) return;
    // The page steps through moves by these keys.
    event.preventDefault();
    choose(next);
    document.getElementById(`tab-${next}`)?.focus({ preventScroll: true });
  };
}

/** Which tab a key leads to; undefined if it leads to none. */
export function tabByKey<T>(key: string, tabs: readonly T[], open: T): T | undefined {
  const at = tabs.indexOf(open);
  switch (key) {
    case "ArrowLeft":
      return tabs.at(at - 1);
    case "ArrowRight":
      return tabs[(at + 1) % tabs.length];
    case "Home":
      return tabs[0];
    case "End":
      return tabs.at(-1);
    default:
      return undefined;
  }
}
