/** Which tab of the analysis is kept, and where a key leads from it. */
import { expect, test } from "vitest";
import { TABS, keepTab, loadTab } from "../src/net/keptTab";
import { tabByKey } from "../src/view/tabs";
import { storage } from "./storage";

test("the tab that was chosen last is kept, until it is let go", () => {
  const kept = storage();
  expect(loadTab(kept)).toBeNull();
  for (const tab of TABS) {
    keepTab(kept, tab);
    expect(loadTab(kept)).toBe(tab);
  }
  keepTab(kept, null);
  expect(loadTab(kept)).toBeNull();
});

test("what is no tab is none, and a full storage keeps nothing", () => {
  for (const stored of ['"chat"', "3", "{", "null"])
    expect(loadTab(storage({ stored: { "zeitnot.analysisTab": stored } })), stored).toBeNull();
  const full = storage({ room: 0 });
  keepTab(full, "explorer");
  expect(loadTab(full)).toBeNull();
});

test("arrows lead around the row of tabs, Home and End to its ends, and other keys nowhere", () => {
  const row = ["a", "b", "c", "d"];
  const from = (at: string) => ["ArrowLeft", "ArrowRight", "Home", "End"].map((key) => tabByKey(key, row, at)).join("");
  expect([from("a"), from("b"), from("d")]).toEqual(["dbad", "acad", "caad"]);
  for (const key of ["ArrowUp", "ArrowDown", "f", "Tab"]) expect(tabByKey(key, row, "b"), key).toBeUndefined();
});
