/** Whether an element is visible: inside the viewport of a visible page. */
import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

export function useOnScreen(element: RefObject<HTMLElement | null>, isThere: boolean): boolean {
  const [isInView, setInView] = useState(false);
  const [isLookedAt, setLookedAt] = useState(document.visibilityState === "visible");
  useEffect(() => {
    const look = (): void => setLookedAt(document.visibilityState === "visible");
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  useEffect(() => {
    if (!element.current || !isThere) {
      setInView(false);
      return;
    }
    const observer = new IntersectionObserver(([entry]) => setInView(entry?.isIntersecting ?? false), {
      threshold: 0.3,
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [isThere]);
  return isInView && isLookedAt;
}
