/** Access to the store for components: a context, and hooks for state and texts. */
import { createContext } from "preact";
import { useContext, useEffect, useRef, useState } from "preact/hooks";
import type { App } from "../state/app";
import type { Store } from "../store";
import type { Catalogue } from "../text";

const Context = createContext<Store | null>(null);
export const StoreProvider = Context.Provider;

export function useStore(): Store {
  const store = useContext(Context);
  if (!store) throw new Error("a component stands outside the page");
  return store;
}

/**
 * The page's state, or what `select` takes of it: the component renders again when that is another value. What is taken
 * must be a part of the state or a plain value, not an object made anew.
 */
export function useApp(): App;
export function useApp<T>(select: (app: App) => T): T;
export function useApp<T>(select?: (app: App) => T): T | App {
  const store = useStore();
  const take = (): T | App => (select ? select(store.state) : store.state);
  const [, render] = useState({});
  const latest = useRef(take);
  latest.current = take;
  const taken = take();
  const shown = useRef(taken);
  shown.current = taken;
  useEffect(() => {
    const look = (): void => {
      if (latest.current() !== shown.current) render({});
    };
    look();
    return store.subscribe(look);
  }, [store]);
  return taken;
}

export function useText(): Catalogue {
  return useApp((app) => app.text);
}
