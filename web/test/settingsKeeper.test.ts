/** Settings kept with an account and in the browser: the last change wins, and nobody's replaces somebody's. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { SettingsKeeper } from "../src/net/settingsKeeper";
import { reduce } from "../src/reducer";
import { firstApp } from "../src/state/app";
import { DEFAULT_SETTINGS, loadSettings } from "../src/state/settings";
import { BLACK, WHITE } from "./scene";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A server that keeps `theirs` for a registered account, and a browser with `own`. */
function scene(theirs: object | null, own: object | null = null) {
  const stored = new Map<string, string>(own ? [["zeitnot.settings", JSON.stringify(own)]] : []);
  const sent: { changed?: number; theme?: string }[] = [];
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
  const keeper = new SettingsKeeper({
    storage,
    get: async () => theirs,
    put: (path, body) => {
      expect(path).toBe("/api/account/settings");
      sent.push(JSON.parse(body) as { changed: number });
    },
    now: () => 5_000,
  });
  const kept = () =>
    JSON.parse(stored.get("zeitnot.settings") ?? "null") as { changed: number; account: string | null };
  return { keeper, sent, kept, storage };
}

describe("settings of an account", () => {
  test("that were changed later elsewhere are taken, and kept in this browser", async () => {
    const { keeper, sent, kept, storage } = scene({ theme: "dark", changed: 900 }, { changed: 800, account: WHITE });
    expect(await keeper.join(WHITE, true)).toMatchObject({ theme: "dark" });
    expect(kept()).toMatchObject({ theme: "dark", changed: 900, account: WHITE });
    expect(loadSettings(storage, ["en"]).theme).toBe("dark");
    vi.runAllTimers();
    expect(sent).toEqual([]);
  });

  test("that were changed later here are sent", async () => {
    const own = { theme: "light", changed: 950, account: WHITE };
    const { keeper, sent } = scene({ theme: "dark", changed: 900 }, own);
    expect(await keeper.join(WHITE, true)).toBeNull();
    vi.runAllTimers();
    expect(sent).toEqual([{ theme: "light", changed: 950 }]);
  });

  test("are not replaced by what nobody, or somebody else, has chosen in this browser", async () => {
    for (const account of [null, BLACK]) {
      const { keeper, sent } = scene({ theme: "dark", changed: 900 }, { theme: "light", changed: 4_000, account });
      expect(await keeper.join(WHITE, true)).toMatchObject({ theme: "dark" });
      vi.runAllTimers();
      expect(sent).toEqual([]);
    }
  });

  test("have what was chosen while they were under way, and no more of this browser's", async () => {
    const own = { theme: "light", volume: 30, rated: { link: false }, changed: 4_000, account: null };
    const { keeper, sent, kept } = scene({ theme: "dark", volume: 70, zen: true, rated: {}, changed: 900 }, own);
    const joined = keeper.join(WHITE, true);
    keeper.keep({ ...DEFAULT_SETTINGS, theme: "light", volume: 30, rated: { link: true } });
    const taken = { theme: "dark", volume: 70, zen: true, rated: { link: true }, changed: 5_000 };
    expect(await joined).toMatchObject(taken);
    expect(kept()).toMatchObject({ ...taken, account: WHITE });
    vi.runAllTimers();
    expect(sent).toMatchObject([taken]);
  });

  test("begin with those of the browser", async () => {
    const { keeper, sent } = scene({}, { theme: "light", changed: 700, account: null });
    expect(await keeper.join(WHITE, true)).toBeNull();
    vi.runAllTimers();
    expect(sent).toEqual([{ theme: "light", changed: 700 }]);
  });

  test("several changes in a row are one request; one that waits is sent when the page is left", async () => {
    const { keeper, sent, kept } = scene({ theme: "dark", changed: 900 });
    await keeper.join(WHITE, true);
    keeper.keep({ ...DEFAULT_SETTINGS, theme: "light" });
    keeper.keep({ ...DEFAULT_SETTINGS, theme: "system" });
    expect(kept()).toMatchObject({ theme: "system", changed: 5_000, account: WHITE });
    vi.runAllTimers();
    expect(sent).toMatchObject([{ theme: "system", changed: 5_000 }]);
    keeper.keep({ ...DEFAULT_SETTINGS, theme: "dark" });
    keeper.flush();
    keeper.flush();
    vi.runAllTimers();
    expect(sent.map(({ theme }) => theme)).toEqual(["system", "dark"]);
  });

  test("a guest's, and those at a server that does not answer, stay in the browser", async () => {
    for (const [{ keeper, sent, kept }, isRegistered] of [
      [scene({ theme: "dark", changed: 900 }), false],
      [scene(null), true],
    ] as const) {
      expect(await keeper.join(WHITE, isRegistered)).toBeNull();
      keeper.keep(DEFAULT_SETTINGS);
      vi.runAllTimers();
      expect(sent).toEqual([]);
      expect(kept()).toMatchObject({ changed: 5_000, account: null });
    }
  });

  test("are asked for when the kind of the account is known, and of a guest who registers once more", async () => {
    const app = { ...firstApp(DEFAULT_SETTINGS, { at: "home" }), account: WHITE };
    for (const kind of ["guest", "registered"] as const)
      expect(reduce(app, { on: "kind", kind }).effects).toEqual([
        { do: "fetchSettings", account: WHITE, isRegistered: kind === "registered" },
      ]);
    const { keeper } = scene({ theme: "dark", changed: 900 });
    expect(await keeper.join(WHITE, false)).toBeNull();
    expect(await keeper.join(WHITE, true)).toMatchObject({ theme: "dark" });
  });

  test("take effect without being kept again, a language when its texts are there", () => {
    const app = firstApp(DEFAULT_SETTINGS, { at: "home" });
    const { app: next, effects } = reduce(app, {
      on: "accountSettings",
      stored: { theme: "dark", language: "de", volume: "loud", changed: 900 },
    });
    expect(next.settings).toEqual({ ...DEFAULT_SETTINGS, theme: "dark" });
    expect(effects).toEqual([{ do: "loadTexts", language: "de" }]);
  });
});
