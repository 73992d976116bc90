/**
 * Does something again and again while the page is seen, and at once whenever it is seen again or the network is back: for
 * what the server tells nobody by itself.
 */

type Page = Pick<Document, "visibilityState" | "addEventListener" | "removeEventListener">;
type Network = Pick<Window, "addEventListener" | "removeEventListener">;

/** Goes on until what is returned is called. The first time is after `everyMs`. */
export function whileSeen(
  act: () => void,
  everyMs: number,
  page: Page = document,
  network: Network = window,
): () => void {
  const look = (): void => {
    if (page.visibilityState === "visible") act();
  };
  const timer = setInterval(look, everyMs);
  page.addEventListener("visibilitychange", look);
  network.addEventListener("online", look);
  return () => {
    clearInterval(timer);
    page.removeEventListener("visibilitychange", look);
    network.removeEventListener("online", look);
  };
}
