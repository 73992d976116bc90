/**
 * Measures the scrollbar of the page as a dialog opens, for the style sheet: while one is open the page does not scroll, and
 * what is behind it stays as wide as it was, also where only the room of a scrollbar was kept. Where a browser does not tell of it, the page gets wider by the scrollbar.
 */
import { useEffect } from "preact/hooks";

export function useScrollbarWidth(): void {
  useEffect(() => {
    const measure = (event: Event): void => {
      if (!(event.target instanceof HTMLDialogElement) || document.querySelector("dialog[open]")) return;
      const page = document.documentElement;
      page.style.setProperty("--scrollbar", `${innerWidth - page.getBoundingClientRect().width}px`);
    };
    // It does not bubble.
    addEventListener("beforetoggle", measure, { capture: true });
    return () => removeEventListener("beforetoggle", measure, { capture: true });
  }, []);
}
