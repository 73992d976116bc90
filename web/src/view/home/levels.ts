/**
 * Which levels of the server's own opponent play now, asked for when the home page opens, or a game against it has ended.
 *
 * A server that has just started listens before its opponent has connected, on a busy machine for a minute. So while none
 * plays it is asked again: soon at first, then seldom, as most servers without an opponent will have none later. A browser
 * that has found none the last time keeps no place for it.
 */
import { useEffect, useState } from "preact/hooks";
import { getJson } from "../../net/api";
import { keepStored, readStored } from "../../state/stored";
import { PRESENCE_PATH, levelsHere } from "../../state/computer";
import type { PlayerStatus } from "../../state/presence";

/** The first waits before it is asked again, in milliseconds, and every later one. */
const SOON_MS: readonly number[] = [500, 1000, 2000, 4000, 8000];
const LATER_MS = 30_000;
/** So many answers say that there is none, in a browser that has never seen one. */
const TRIES_FIRST = 2;

const KEY = "zeitnot.computer";

/** Weakest first; `null` until the first answer, and where nobody asks. */
export function useLevels(isAsked = true): readonly number[] | null {
  const [known] = useState(() => readStored(localStorage, KEY));
  const [levels, set] = useState<readonly number[] | null>(known === false ? [] : null);
  useEffect(() => {
    if (!isAsked) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isCurrent = true;
    const ask = async (tries: number): Promise<void> => {
      const statuses = await getJson<readonly PlayerStatus[]>(PRESENCE_PATH).catch(() => null);
      if (!isCurrent) return;
      const here = levelsHere(statuses ?? []);
      // Whether there is one is not known before it was asked for a while: its button keeps its place until then.
      if (here.length > 0 || tries >= (known === true ? SOON_MS.length : TRIES_FIRST)) {
        set(here);
        keepStored(localStorage, KEY, here.length > 0);
      }
      if (here.length === 0) timer = setTimeout(() => void ask(tries + 1), SOON_MS[tries] ?? LATER_MS);
    };
    void ask(0);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [isAsked]);
  return levels;
}
