/** What is loaded when a component appears: loading, loaded, missing, or failed. */
import { useEffect, useState } from "preact/hooks";
import { getJson } from "../net/api";
import { useStore, useText } from "./context";

export type Fetched<T> =
  | { readonly state: "loading" }
  | { readonly state: "there"; readonly value: T }
  | { readonly state: "missing" }
  | { readonly state: "failed" };

interface Loaded<T> {
  readonly fetched: Fetched<T>;
  /** Loads again. What is there stays until then. */
  again(): void;
}

/** Fetches a path, and again when it changes or `again` is called. */
export function useFetched<T>(path: string): Loaded<T> {
  return useLoaded(() => getJson<T>(path), path);
}

/** Loads what `key` stands for; null means that it is missing. */
export function useLoaded<T>(load: () => Promise<T | null>, key: string): Loaded<T> {
  const [loaded, set] = useState<{ readonly key: string; readonly fetched: Fetched<T> }>({
    key,
    fetched: { state: "loading" },
  });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    const settle = (fetched: Fetched<T>): void => void (isCurrent && set({ key, fetched }));
    if (loaded.fetched.state !== "there") settle({ state: "loading" });
    load().then(
      (value) => settle(value === null ? { state: "missing" } : { state: "there", value }),
      () => settle({ state: "failed" }),
    );
    return () => {
      isCurrent = false;
    };
  }, [key, tries]);
  return { fetched: loaded.key === key ? loaded.fetched : { state: "loading" }, again: () => setTries((n) => n + 1) };
}

/** Loads what a dialog needs as it opens; null until that is there. Where it cannot be loaded, that is said, and the dialog closes. */
export function useOpened<T>(load: () => Promise<T | null>, key: string, close: () => void): T | null {
  const store = useStore();
  const { lobby } = useText();
  const { fetched } = useLoaded(load, key);
  const { state } = fetched;
  useEffect(() => {
    if (state !== "failed" && state !== "missing") return;
    store.notice("error", lobby.failed);
    close();
  }, [state]);
  return state === "there" ? fetched.value : null;
}
