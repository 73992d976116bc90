/**
 * Keeps the screen on. The browser lets go of it whenever the page is hidden, so it is asked again when it is seen.
 *
 * A browser without wake locks, or one that saves its battery, does as it likes.
 */

/** Holds the screen until what is returned is called. */
export function keepScreenOn(): () => void {
  let isWanted = true;
  let lock: WakeLockSentinel | null = null;
  const hold = async (): Promise<void> => {
    if (document.visibilityState !== "visible" || (lock && !lock.released)) return;
    const held = await navigator.wakeLock?.request("screen").catch(() => null);
    if (!held) return;
    if (isWanted) lock = held;
    else void held.release();
  };
  const seen = (): void => void hold();
  document.addEventListener("visibilitychange", seen);
  void hold();
  return () => {
    isWanted = false;
    document.removeEventListener("visibilitychange", seen);
    void lock?.release();
  };
}
