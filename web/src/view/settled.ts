/**
 * Buttons that come into the place of others answer no press that may still be aimed at those.
 *
 * A press that is aimed lands within the time that a hand needs to stop, about half a second.
 */
import { useEffect, useState } from "preact/hooks";

/** For so long a button that comes unasked answers no press. */
export const COMES_MS = 700;

/** Whether what this key stands for has been there for so long; null stands for nothing. */
export function useSettled(key: string | null, ms = COMES_MS): boolean {
  const [settled, settle] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => settle(key), ms);
    return () => clearTimeout(timer);
  }, [key]);
  return key !== null && settled === key;
}

/** Whether what is on the screen is arranged as it was at first, or has been arranged so for that time. */
export function useStill<T>(arrangement: T): boolean {
  const [still, settle] = useState(arrangement);
  useEffect(() => {
    const timer = setTimeout(() => settle(arrangement), COMES_MS);
    return () => clearTimeout(timer);
  }, [arrangement]);
  return still === arrangement;
}
