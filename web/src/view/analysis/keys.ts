/**
 * The keys of the analysis board outside inputs and the board's squares: through the tree, from mistake to mistake, and
 * flipping the board.
 */
import { useLayoutEffect } from "preact/hooks";
import { type Analysis, lastOf } from "../../state/analysis/analysis";
import { type Path, forward, sibling } from "../../state/analysis/tree";
import { hasModifier } from "../modifiers";

/** Where a key leads from a place; undefined if it leads nowhere. */
export function pathByKey(key: string, analysis: Analysis): Path | undefined {
  const { tree, path } = analysis;
  switch (key) {
    case "ArrowLeft":
      return path.slice(0, -1);
    case "ArrowRight":
      return forward(tree, path);
    case "ArrowUp":
      return sibling(tree, path, -1);
    case "ArrowDown":
      return sibling(tree, path, 1);
    case "Home":
      return [];
    case "End":
      return lastOf(analysis);
    default:
      return undefined;
  }
}

interface Does {
  go(path: Path): void;
  flip(): void;
  toMistake(by: 1 | -1): void;
}

/** `isOff`: another part of the page has the keys. */
export function useKeys(analysis: Analysis, { go, flip, toMistake }: Does, isOff = false): void {
  // With the rendering, not after the next frame: the next key begins where this one has led.
  useLayoutEffect(() => {
    if (isOff) return;
    const keys = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement;
      if (event.defaultPrevented || hasModifier(event)) return;
      const isEmptyLine = target.matches(".typed input") && (target as HTMLInputElement).value === "";
      const isField = /^(?:INPUT|SELECT|TEXTAREA)$/u.test(target.tagName);
      if ((isField && !(isEmptyLine && !/^[fm]$/iu.test(event.key))) || target.closest("[role=dialog], dialog")) return;
      const path = pathByKey(event.key, analysis);
      if (path) go(path);
      else if (event.key === "f") flip();
      else if (event.key === "m" || event.key === "M") toMistake(event.shiftKey ? -1 : 1);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", keys);
    return () => removeEventListener("keydown", keys);
  }, [analysis, toMistake, isOff]);
}
