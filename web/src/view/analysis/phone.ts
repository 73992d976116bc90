/**
 * Whether the window is that of a phone that is held upright, where the analysis has tabs. The style sheets have the same
 * queries.
 */
import { useRef } from "preact/hooks";
import { useMedia } from "../media";

const PHONE = "(orientation: portrait) and (max-width: 40rem) and (min-height: 30rem)";

/** So low for its width that the move that led to a position stands under the tab of the moves. */
const LOW = `${PHONE} and (min-aspect-ratio: 501 / 1000)`;

/** A keyboard that takes half of the window changes nothing: the line in which somebody types stays where it is. */
export function usePhone(): boolean {
  const isPhone = useMedia(PHONE);
  const last = useRef(isPhone);
  if (!document.activeElement?.matches("input, textarea")) last.current = isPhone;
  return last.current;
}

export const useLowPhone = (): boolean => useMedia(LOW);
