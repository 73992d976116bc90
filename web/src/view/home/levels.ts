/**
 * Which levels of the server's own opponent play now, asked for when the home page opens.
 *
 * A server that has just started listens before its opponent has connected, on a busy machine for a minute. So while none
 * plays it is asked again: soon at first, then seldom, as most servers without an opponent will have none later.
 */
import { useEffect, useState } from "preact/hooks";
import { getJson } from "../../net/api";
import { STATUS_PATH, type Status, levelsHere } from "../../state/computer";

/** The first waits before it is asked again, in milliseconds, and every later one. */
const SOON_MS: readonly number[] = [500, 1000, 2000, 4000, 8000];
const LATER_MS = 30_000;

/** Weakest first; `null` until the first answer. */
export function useLevels(): readonly number[] | null {
  const [levels, set] = useState<readonly number[] | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isCurrent = true;
    const ask = async (tries: number): Promise<void> => {
      const statuses = await getJson<readonly Status[]>(STATUS_PATH).catch(() => null);
      if (!isCurrent) return;
      const here = levelsHere(statuses ?? []);
      // Whether there is one is not known before it was asked for a while: its button keeps its place until then.
      if (here.length > 0 || tries >= SOON_MS.length) set(here);
      if (here.length === 0) timer = setTimeout(() => void ask(tries + 1), SOON_MS[tries] ?? LATER_MS);
    };
    void ask(0);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, []);
  return levels;
}
