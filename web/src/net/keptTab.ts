/**
 * Which tab of the analysis is open on a phone, kept in this browser's tab: another game begins with it, and so does a reload.
 *
 * What is stored is not trusted: what names no tab counts as no choice.
 */
import { keepStored, readStored } from "../state/stored";

export const TABS = ["moves", "explorer", "mistakes", "position"] as const;
export type Tab = (typeof TABS)[number];

const NAME = "zeitnot.analysisTab";

/** The one that was chosen last; null if none was. */
export function loadTab(storage: Pick<Storage, "getItem">): Tab | null {
  const kept = readStored(storage, NAME);
  return TABS.find((tab) => tab === kept) ?? null;
}

/** Null: what comes next begins with the tab that fits it. */
export function keepTab(storage: Pick<Storage, "setItem">, tab: Tab | null): void {
  keepStored(storage, NAME, tab);
}
