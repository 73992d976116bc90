/**
 * Measures the scrollbar of the page as a dialog opens, for the style sheet: while one is open the page does not scroll, and
 * what is behind it stays as wide as it was, also where only the room of a scrollbar was kept. It counts until the window has
 * another size. Where a browser does not tell of a dialog that opens, the page gets wider by the scrollbar.
 */
import { useEffect } from "preact/hooks";

export function useScrollbarWidth(): void {
  useEffect(() => {
    const { style } = document.documentElement;
    const forget = (): void => void style.removeProperty("--scrollbar");
    const measure = (event: Event): void => {
      if (!(event.target instanceof HTMLDialogElement) || document.querySelector("dialog[open]")) return;
      style.setProperty("--scrollbar", `${innerWidth - document.documentElement.getBoundingClientRect().width}px`);
    };
    // It does not bubble.
    addEventListener("beforetoggle", measure, { capture: true });
    addEventListener("resize", forget);
    return () => {
      removeEventListener("beforetoggle", measure, { capture: true });
      removeEventListener("resize", forget);
    };
  }, []);
}
