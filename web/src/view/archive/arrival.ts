/**
 * What is in sight after a press on the button of the form, or after a search for finished games: the form with the line that
 * says how many there are, or that line. On a phone, whose screen the form fills, the form makes way for the games.
 *
 * They can be asked for before the search has ended: then they are shown when they are there.
 */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

const PHONE = "(max-width: 36rem)";

interface Arrival {
  /** The line that says how many there are. */
  readonly counts: RefObject<HTMLParagraphElement | null>;
  /** Whether the form is open. */
  readonly isOpen: boolean;
  open(isOpen: boolean): void;
  /** A search leads away from this list: its games do not count any more. */
  begin(): void;
  /** Brings into sight what is found. */
  show(): void;
}

/** The list at this address, in this state, with so many games. The form is open at first, or not. */
export function useArrival(
  address: string,
  state: "loading" | "there" | "failed",
  found: number,
  isFirst = false,
): Arrival {
  const counts = useRef<HTMLParagraphElement>(null);
  const [isOpen, set] = useState(isFirst);
  // The list that a search leads away from: on a slow machine its answer may come, and be shown, after the press.
  const left = useRef<string | null>(null);
  const isAwaited = useRef(false);
  const isMakingWay = useRef(false);
  const isPressed = useRef(false);
  const open = (wanted: boolean): void => {
    isPressed.current = wanted;
    set(wanted);
  };
  const arrive = (): void => {
    isMakingWay.current = isOpen && found > 0 && matchMedia(PHONE).matches;
    if (isMakingWay.current) open(false);
    else bringIntoView(counts.current);
  };
  const isUnderWay = (): boolean => state === "loading" || address === left.current;
  useLayoutEffect(() => {
    if (address !== left.current) left.current = null;
    if (isUnderWay()) return;
    if (isAwaited.current) arrive();
    isAwaited.current = false;
  }, [address, state]);
  useLayoutEffect(() => {
    if (isPressed.current) bringFormIntoView(counts.current);
    isPressed.current = false;
    if (!isMakingWay.current) return;
    isMakingWay.current = false;
    // The form takes the focus of its fields with it.
    document.getElementById("filters-button")?.focus({ preventScroll: true });
    document.getElementById("played-title")?.scrollIntoView({ block: "start" });
  }, [isOpen]);
  const begin = (): void => {
    left.current = address;
    isAwaited.current = false;
  };
  const show = (): void => {
    if (isUnderWay()) {
      isAwaited.current = true;
      bringIntoView(counts.current);
    } else arrive();
  };
  return { counts, isOpen, open, begin, show };
}

/** Leads to the games that somebody has chosen elsewhere on the page. */
export function showGames(): void {
  const title = document.getElementById("played-title");
  title?.focus({ preventScroll: true });
  bringIntoView(title);
}

/** From the heading to the line below the form; of a form that is higher than the window its beginning. */
function bringFormIntoView(counts: HTMLElement | null): void {
  for (const part of [counts, document.getElementById("played-title")]) part?.scrollIntoView({ block: "nearest" });
}

/** Also below a long form. */
function bringIntoView(part: HTMLElement | null): void {
  const top = part?.getBoundingClientRect().top ?? 0;
  if (top < 0 || top > innerHeight / 2) part?.scrollIntoView({ block: "start" });
}
