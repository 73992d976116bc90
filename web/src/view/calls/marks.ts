/** Marks the page while something waits for its player, and takes notifications back when the page is seen. */
import { useEffect } from "preact/hooks";
import { markPage } from "../../device/marks";
import { dismissCalls } from "../../device/notifications";
import { waitingFor } from "../../state/calls";
import { useApp } from "../context";

export function useCallMarks(): void {
  const count = useApp((app) => waitingFor(app));
  useEffect(() => markPage(count), [count]);
  useEffect(() => {
    const seen = (): void => {
      if (document.visibilityState === "visible") dismissCalls();
    };
    document.addEventListener("visibilitychange", seen);
    return () => document.removeEventListener("visibilitychange", seen);
  }, []);
}
