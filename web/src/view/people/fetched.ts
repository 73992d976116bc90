/** A resource fetched over HTTP when a component appears: loading, loaded, missing, or failed. */
import { useEffect, useState } from "preact/hooks";
import { getJson } from "../../net/api";

export type Fetched<T> =
  | { readonly state: "loading" }
  | { readonly state: "there"; readonly value: T }
  | { readonly state: "missing" }
  | { readonly state: "failed" };

/** Fetches a path, and again when it changes or `again` is called. */
export function useFetched<T>(path: string): { readonly fetched: Fetched<T>; again(): void } {
  const [fetched, set] = useState<Fetched<T>>({ state: "loading" });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    set({ state: "loading" });
    getJson<T>(path).then(
      (value) => isCurrent && set(value === null ? { state: "missing" } : { state: "there", value }),
      () => isCurrent && set({ state: "failed" }),
    );
    return () => {
      isCurrent = false;
    };
  }, [path, tries]);
  return { fetched, again: () => setTries(tries + 1) };
}
