/** The settings: what is read of what was stored, and that a change is kept. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { reduce } from "../src/reducer";
import { firstApp } from "../src/state/app";
import { catalogue as de } from "../src/text/de";
import { DEFAULT_SETTINGS, PIECE_SETS, loadSettings, readSettings, saveStored } from "../src/state/settings";
import { loadShapes, shapesOf } from "../src/view/board/pieceSets";
import { CREDITS } from "../src/view/board/pieceSets/credits";
import { storage } from "./storage";

test("each set of pieces but the usual one is there once it is loaded", async () => {
  expect(PIECE_SETS.filter((set) => shapesOf(set))).toEqual(["staunton"]);
  await Promise.all(PIECE_SETS.map(loadShapes));
  expect(PIECE_SETS.filter((set) => shapesOf(set))).toEqual([...PIECE_SETS]);
});

test("a set that others drew says who and under which licence, in a notice that is built with it", () => {
  expect(Object.keys(CREDITS)).toEqual(["celtic", "fantasy", "kosal"]);
  for (const [set, { author, licence }] of Object.entries(CREDITS)) {
    const file = readFileSync(`src/view/board/pieceSets/${set}.ts`, "utf8");
    const notice = (/^\/\*!.*?\*\//su.exec(file)?.[0] ?? "").replace(/\n \*/gu, "");
    expect(notice, set).toContain(author);
    expect(notice.toLowerCase(), set).toContain(licence === "CC BY 4.0" ? "attribution 4.0" : licence.toLowerCase());
  }
});

describe("settings", () => {
  test("what is stored is taken field by field, and what is not one of the choices takes its default", () => {
    const stored = {
      boardColors: "green",
      pieces: "marble",
      coordinates: false,
      autoQueen: "yes",
      premoves: "several",
      volume: 101,
      theme: "dark",
      language: "xx",
      pool: "7+7",
      hideChat: true,
      constructor: "no field",
      unknown: 1,
    };
    expect(readSettings(stored, ["de-AT", "en"])).toEqual({
      ...DEFAULT_SETTINGS,
      boardColors: "green",
      coordinates: false,
      premoves: "several",
      theme: "dark",
      language: "de",
      hideChat: true,
    });
  });

  test("only a whole volume from 0 to 100 is one", () => {
    for (const volume of [0, 35, 100]) expect(readSettings({ volume }, []).volume).toBe(volume);
    for (const volume of [-1, 101, 0.5, "50", null, Number.NaN])
      expect(readSettings({ volume }, []).volume).toBe(DEFAULT_SETTINGS.volume);
  });

  test("whether games are to be rated is kept for each kind of opponent", () => {
    const rated = { link: false, player: true };
    expect(readSettings({ rated }, []).rated).toEqual(rated);
    for (const not of [null, true, [true], { nobody: true }, { link: "yes" }])
      expect(readSettings({ rated: not }, []).rated).toEqual({});
  });

  test("whatever was stored, there are settings", () => {
    for (const stored of ["", "{", "null", "[]", "7", '"text"'])
      expect(loadSettings(storage({ stored: { "zeitnot.settings": stored } }), ["en"])).toEqual(DEFAULT_SETTINGS);
    const forbidden = {
      getItem: () => {
        throw new Error("forbidden");
      },
      setItem: () => {
        throw new Error("full");
      },
    };
    expect(loadSettings(forbidden, ["en"])).toEqual(DEFAULT_SETTINGS);
    expect(() => saveStored(forbidden, DEFAULT_SETTINGS)).not.toThrow();
  });

  test("what was saved is loaded", () => {
    const kept = storage();
    const chosen = { ...DEFAULT_SETTINGS, zen: true, volume: 20, pieces: "simple", language: "de" } as const;
    saveStored(kept, chosen);
    expect(loadSettings(kept, ["en"])).toEqual(chosen);
  });

  test("a change takes effect at once and is kept", () => {
    const { app, effects } = reduce(firstApp(DEFAULT_SETTINGS, { at: "home" }), {
      on: "settings",
      change: { autoQueen: true },
    });
    const settings = { ...DEFAULT_SETTINGS, autoQueen: true };
    expect(app.settings).toEqual(settings);
    expect(effects).toEqual([{ do: "keepSettings", settings }]);
  });

  test("a language takes effect and is kept once its texts are loaded", () => {
    const before = firstApp(DEFAULT_SETTINGS, { at: "home" });
    const asked = reduce(before, { on: "settings", change: { language: "de" } });
    expect([asked.app.settings.language, asked.effects.at(-1)]).toEqual(["en", { do: "loadTexts", language: "de" }]);
    const { app, effects } = reduce(asked.app, { on: "texts", language: "de", text: de });
    expect([app.settings.language, app.text.tag]).toEqual(["de", "de"]);
    expect(effects).toEqual([{ do: "keepSettings", settings: app.settings }]);
  });

  test("a language whose texts cannot be loaded leaves the one before, and says so", () => {
    const before = firstApp(DEFAULT_SETTINGS, { at: "home" });
    const { app, effects } = reduce(before, { on: "texts", language: "de", text: null });
    expect([app.settings.language, app.text.tag, effects]).toEqual(["en", "en", []]);
    expect(app.notice).toMatchObject({ kind: "error", text: before.text.site.languageFailed });
  });
});
