/**
 * The way back to a list of finished games: whether the entry of the browser's history has shown one before, and where in it
 * one was. Whoever follows a link to a list begins a new one at its start.
 *
 * Invariant: a place is kept as the distance of the list from the top of the window, not as that of the page: what stands
 * above the list may come after it, or be folded.
 */
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { KeptAnswers } from "../../net/keptAnswers";

/** Lists that are kept while the page is open, and places in them: those of the last searches. */
export const LISTS_KEPT = 8;

/** By the addresses of the lists; null at the start of the page. */
const places = new KeptAnswers<number | null>(LISTS_KEPT);

export function isWayBack(): boolean {
  return (history.state as { readonly isList?: true } | null)?.isList === true;
}

/** From now on this entry leads back to what it shows. */
export function markEntry(): void {
  if (!isWayBack()) history.replaceState({ ...history.state, isList: true }, "");
}

/** Of a list that begins anew. */
export const forgetPlace = (address: string): void => places.keep(address, null);

/** `backTo`: the address of the list, once it is shown again as it was left. `beginning` is what stands right above its games. */
export function usePlace(address: string, backTo: string | null, beginning: RefObject<HTMLElement | null>): void {
  const top = (): number => beginning.current?.getBoundingClientRect().top ?? 0;
  useLayoutEffect(() => {
    const place = backTo === null ? null : places.find(backTo);
    if (place !== null) scrollBy({ top: top() - place, behavior: "instant" });
  }, [backTo]);
  useEffect(() => {
    // While another page takes the place of this one, its entry is in the history already.
    const remember = (): void => {
      if (isWayBack() && beginning.current) places.keep(address, scrollY > 0 ? top() : null);
    };
    addEventListener("scroll", remember, { passive: true });
    return () => removeEventListener("scroll", remember);
  }, [address]);
}
