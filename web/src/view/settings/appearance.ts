/**
 * Puts the settings that style sheets read upon the document: the page's language and theme, the
 * board's colours, the size of the clocks, zen.
 *
 * A style sheet finds them as attributes of `<html>`. What a component draws differently it reads from the state.
 */
import { useLayoutEffect } from "preact/hooks";
import { isZen } from "../../state/zen";
import { useApp, useText } from "../context";

export function useAppearance(): void {
  const { theme, boardColors, largeClocks } = useApp((app) => app.settings);
  const zen = useApp(isZen);
  const { tag } = useText();
  // With the rendering: a page that is drawn once in other colours flashes.
  useLayoutEffect(() => {
    const page = document.documentElement;
    page.lang = tag;
    page.dataset.theme = theme;
    page.dataset.boardColors = boardColors;
    page.dataset.largeClocks = largeClocks ? "on" : "off";
    page.dataset.zen = zen ? "on" : "off";
  }, [tag, theme, boardColors, largeClocks, zen]);
}
