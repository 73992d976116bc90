/**
 * Which levels of the server's own opponent play now, asked for when the home page opens.
 *
 * A server that has just started listens a moment before its opponent has connected, so none is asked about a few times
 * more; then the server is taken to have no opponent.
 */
import { useEffect, useState } from "preact/hooks";
import { getJson } from "../../net/api";
import { STATUS_PATH, type Status, levelsHere } from "../../state/computer";

/** The waits before none is asked about again, in milliseconds. */
const AGAIN_AFTER_MS: readonly number[] = [500, 1000, 2000, 4000, 8000];

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
      set(here);
      const wait = AGAIN_AFTER_MS[tries];
      if (here.length === 0 && wait !== undefined) timer = setTimeout(() => void ask(tries + 1), wait);
    };
    void ask(0);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, []);
  return levels;
}
