/** The time of day for components that count seconds. Ticks only while it is needed. */
import { useEffect, useState } from "preact/hooks";

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
