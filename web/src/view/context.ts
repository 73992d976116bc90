/** Access to the store for components: a context, and hooks for state and texts. */
import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
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

/** The page's state; the component renders again after every change. */
export function useApp(): App {
  const store = useStore();
  const [state, setState] = useState(store.state);
  useEffect(() => {
    setState(store.state);
    return store.subscribe(() => setState(store.state));
  }, [store]);
  return state;
}

export function useText(): Catalogue {
  return useStore().text;
}
