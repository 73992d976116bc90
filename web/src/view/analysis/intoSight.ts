/** Scrolls into sight what a press has shown. Nothing moves where it is in sight already: below a finger everything stays. */
import { useEffect } from "preact/hooks";

/** What stands low on the page and leads to a position brings the board into sight, after what that position changes. */
export const showBoard = (): void => void requestAnimationFrame(boardIntoSight);

function boardIntoSight(): void {
  const frame = document.querySelector(".board-frame")?.getBoundingClientRect();
  if (frame && frame.top >= 0 && frame.bottom <= innerHeight) return;
  document.querySelector(".board-column")?.scrollIntoView({ block: "nearest" });
}

/**
 * What somebody unfolds comes into sight: it may be below the edge of the window. With the explorer the board does, which comes
 * before it: moves are played there.
 */
export function useUnfoldedInSight(): void {
  useEffect(() => {
    addEventListener("click", showUnfolded);
    return () => removeEventListener("click", showUnfolded);
  }, []);
}

function showUnfolded({ target }: Event): void {
  const unfolded = target instanceof Element && target.closest("summary")?.parentElement;
  if (!(unfolded instanceof HTMLDetailsElement) || unfolded.open) return;
  const show = (): void => {
    unfolded.scrollIntoView({ block: "nearest" });
    if (unfolded.matches(".explorer")) boardIntoSight();
  };
  unfolded.addEventListener("toggle", show, { once: true });
}
