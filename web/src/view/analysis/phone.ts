/**
 * Whether the window is that of a phone that is held upright, where the analysis has tabs, or so wide and high that its parts
 * stand beside a wide board. The style sheets have the same queries.
 */
import { useRef } from "preact/hooks";
import { useMedia } from "../media";

const PHONE = "(orientation: portrait) and (max-width: 40rem) and (min-height: 30rem)";

/** So low for its width that the move that led to a position stands under the tab of the moves. */
const LOW = `${PHONE} and (min-aspect-ratio: 501 / 1000)`;

const WIDE = "(orientation: landscape) and (min-height: 42rem)";

export const useWide = (): boolean => useMedia(WIDE);

export const usePhone = (): boolean => useUnlessTyping(PHONE);

export const useLowPhone = (): boolean => useUnlessTyping(LOW);

/** A keyboard that takes half of the window changes nothing: the line in which somebody types stays where it is. */
function useUnlessTyping(query: string): boolean {
  const isNow = useMedia(query);
  const last = useRef(isNow);
  if (!document.activeElement?.matches("input, textarea")) last.current = isNow;
  return last.current;
}
