/** The wheel over the board, in steps of one ply: down is forward. With Ctrl it zooms the page, as everywhere. */

/** A notch of a wheel scrolls 100 px or more, a touchpad a few at a time: so far is one step. */
const STEP_PX = 60;
/** The height of a line, for browsers that count in lines. */
const LINE_PX = 33;

/** Listens on a board; returns a function that stops. */
export function listenToWheel(board: HTMLElement, step: (by: number) => void): () => void {
  let scrolled = 0;
  const wheel = (event: WheelEvent): void => {
    if (event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    const by = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * LINE_PX;
    if (Math.sign(by) !== Math.sign(scrolled)) scrolled = 0;
    scrolled += by;
    if (Math.abs(scrolled) < STEP_PX) return;
    scrolled = 0;
    step(Math.sign(by));
  };
  board.addEventListener("wheel", wheel, { passive: false });
  return () => board.removeEventListener("wheel", wheel);
}
