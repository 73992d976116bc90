/** Time for components: that of day, ticking only while it is needed; since when something holds, or one has been shown. */
import { useEffect, useRef, useState } from "preact/hooks";

/** Wall-clock ms. */
export function useNow(isTicking: boolean, everyMs = 1000): number {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!isTicking) return;
    const timer = setInterval(() => tick((n) => n + 1), everyMs);
    return () => clearInterval(timer);
  }, [isTicking, everyMs]);
  return Date.now();
}

/** Since when this holds, in wall-clock ms; null while it does not. */
export function useSince(holds: boolean): number | null {
  const since = useRef<number | null>(null);
  since.current = holds ? (since.current ?? Date.now()) : null;
  return since.current;
}

/** Whether the component has been shown for so long, in ms; until then, each change of `of` begins the wait anew. */
export function useLasts(ms: number, of?: number): boolean {
  const [lasts, set] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => set(true), ms);
    return () => clearTimeout(timer);
  }, [of]);
  return lasts;
}
