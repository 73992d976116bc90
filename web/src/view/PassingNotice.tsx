/**
 * What is said for a moment. Below in the window; on a desk in the header, whose middle is free, so that it covers nothing that one
 * presses. It takes no press itself, and the live region reads it out (`reducer/effects`).
 */
import { useEffect } from "preact/hooks";
import { useApp, useStore } from "./context";

const NOTICE_MS = 6_000;

export function PassingNotice() {
  const notice = useApp((app) => app.notice);
  const store = useStore();
  const n = notice?.n;
  useEffect(() => {
    if (n === undefined) return;
    const timer = setTimeout(() => store.clearNotice(), NOTICE_MS);
    return () => clearTimeout(timer);
  }, [n]);
  return (
    <div class={`notice ${notice?.kind ?? "none"}`} aria-hidden="true">
      <span>{notice?.text}</span>
    </div>
  );
}
