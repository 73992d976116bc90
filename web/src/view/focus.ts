/**
 * The focus of the page's content: a new page is read from its start, and what takes its button away with it leaves the
 * focus on the page and not on nothing, where keys would do nothing and a screen reader would start anew.
 */
import { useEffect } from "preact/hooks";

export function focusContent(): void {
  const content = document.getElementById("content");
  content?.setAttribute("tabindex", "-1");
  content?.focus({ preventScroll: true });
}

/** Whether the focus is on nothing that a player has chosen: on the page as a whole. */
export function isOnPage(): boolean {
  return document.activeElement === document.body || document.activeElement?.id === "content";
}

/** For the component around all pages. */
export function useFocusKept(): void {
  useEffect(() => {
    let last: EventTarget | null = null;
    const remember = (event: FocusEvent): void => {
      last = event.target;
    };
    const watcher = new MutationObserver(() => {
      const isGone = last instanceof Node && !last.isConnected;
      if (isGone && document.activeElement === document.body) focusContent();
    });
    watcher.observe(document.body, { childList: true, subtree: true });
    addEventListener("focusin", remember);
    return () => {
      watcher.disconnect();
      removeEventListener("focusin", remember);
    };
  }, []);
}
