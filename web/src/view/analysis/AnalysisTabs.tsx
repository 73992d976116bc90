/**
 * A row of tabs and the panel of the one that is open, which has the room that is left in the window and scrolls by itself: the
 * board above it keeps its place, whatever is open. The keys that lead from tab to tab are those of tabs.ts.
 *
 * What is in the panel, and which tabs there are, is handed in. What is not open is not on the page.
 */
import type { ComponentChildren } from "preact";
import type { Tab } from "../../net/keptTab";
import { tabKeys } from "../tabs";

const PATHS: Readonly<Record<Tab, string>> = {
  moves: "M4.500 6.500h15M4.500 12h15M4.500 17.500h9",
  explorer:
    "M12 6.500c-2-1.500-4.500-2-7.500-2v13c3 0 5.500.5 7.500 2 2-1.500 4.500-2 7.500-2v-13c-3 0-5.500.5-7.500 2zM12 6.500v13",
  mistakes:
    "M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17zM9.500 9.800a2.500 2.500 0 1 1 3.600 2.200c-.8.400-1.100 1-1.100 1.900M12 16.600v.3",
  position: "M4.500 4.500h15v15h-15zM12 4.500v15M4.500 12h15",
};

interface Props {
  /** What all of them belong to. */
  readonly label: string;
  /** In the order of the row. */
  readonly tabs: readonly { readonly tab: Tab; readonly name: string }[];
  readonly open: Tab;
  choose(tab: Tab): void;
  /** What the open tab has. */
  readonly children: ComponentChildren;
}

const idOf = (tab: Tab): string => `tab-${tab}`;

export function AnalysisTabs({ label, tabs, open, choose, children }: Props) {
  const keys = tabKeys(
    tabs.map(({ tab }) => tab),
    open,
    choose,
  );
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={keys}>
        {tabs.map(({ tab, name }) => (
          <button
            type="button"
            role="tab"
            key={tab}
            id={idOf(tab)}
            aria-selected={tab === open}
            aria-controls="analysis-panel"
            tabIndex={tab === open ? 0 : -1}
            onClick={() => choose(tab)}
          >
            <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
              <path d={PATHS[tab]} />
            </svg>
            {name}
          </button>
        ))}
      </div>
      <div class={`tab-panel of-${open}`} role="tabpanel" key={open} id="analysis-panel" aria-labelledby={idOf(open)}>
        {children}
      </div>
    </>
  );
}
