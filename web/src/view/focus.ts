/**
 * The focus of the page's content: a new page is read from its start, and what takes its button away with it leaves the
 * focus on the page and not on nothing, where keys would do nothing and a screen reader would start anew. What leads to an
 * account leaves it on the button of the account.
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

/** What the header has only for whoever has no account. With one, the button of its menu is in their place. */
const WAYS_IN = "header.top :is(.to-account, .account-dialog)";

/** For the component around all pages. */
export function useFocusKept(): void {
  useEffect(() => {
    let last: Element | null = null;
    let wasWayIn = false;
    const remember = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element)) return;
      last = target;
      wasWayIn = target.closest(WAYS_IN) !== null;
    };
    const watcher = new MutationObserver(() => {
      if (!last || last.isConnected || document.activeElement !== document.body) return;
      if (wasWayIn) document.querySelector<HTMLElement>("header.top .you")?.focus();
      else focusContent();
    });
    watcher.observe(document.body, { childList: true, subtree: true });
    addEventListener("focusin", remember);
    return () => {
      watcher.disconnect();
      removeEventListener("focusin", remember);
    };
  }, []);
}
