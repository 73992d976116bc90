/** Whether the window is as a media query says, now and whenever that changes. */
import { useEffect, useState } from "preact/hooks";

export function useMedia(query: string): boolean {
  const [isSo, set] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const look = (): void => set(list.matches);
    look();
    list.addEventListener("change", look);
    return () => list.removeEventListener("change", look);
  }, [query]);
  return isSo;
}
