/** The server's own opponent: which levels are offered, and how one is challenged. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ENGLISH } from "../src/text";
import { catalogue as GERMAN } from "../src/text/de";
import {
  CONTROLS,
  FIRST_COMPUTER,
  LEVELS,
  PRESENCE_PATH,
  challengeAgain,
  challengeComputer,
  choiceOf,
  formOf,
  isControl,
  levelOf,
  levelsBeside,
  levelsHere,
  ratingOf,
  withControl,
} from "../src/state/computer";
import { readSettings } from "../src/state/settings";
import { fromSnapshot } from "zeitnot-client";
import { AT, snapshot } from "./scene";

describe("the computer", () => {
  test("is offered at the levels that are online, weakest first", () => {
    const here = [
      { name: "Computer-5", online: true },
      { name: "Computer-2", online: true },
      { name: "Computer-3" },
      { name: "Somebody", online: true },
    ];
    expect(levelsHere(here)).toEqual([2, 5]);
    expect(levelsHere([])).toEqual([]);
    expect(PRESENCE_PATH.split(",")).toHaveLength(LEVELS.length);
  });

  test("is challenged by name, on the terms that were chosen", () => {
    const form = formOf({ ...FIRST_COMPUTER, color: "black" });
    expect(challengeComputer(8, withControl(form, [5, 3]))).toEqual({
      time_control: { kind: "clock", periods: [{ base_ms: 300_000, increment_ms: 3000 }] },
      color: "black",
      options: { profile: "casual" },
      to_name: "Computer-8",
    });
    expect(challengeComputer(3, withControl(formOf(FIRST_COMPUTER), [30, 0]))).toEqual({
      time_control: { kind: "clock", periods: [{ base_ms: 1_800_000 }] },
      options: { profile: "casual" },
      to_name: "Computer-3",
    });
    const fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    expect(challengeComputer(3, { ...form, chess960: true, fen })).toMatchObject({ variant: "chess960", fen });
    expect(CONTROLS.filter((control) => isControl(formOf(FIRST_COMPUTER), control))).toEqual([null]);
  });

  test("is offered as it was played last; the position is chosen anew", () => {
    const other = { ...formOf(FIRST_COMPUTER), kind: "delay", color: "white", chess960: true } as const;
    const form = { ...other, periods: [{ moves: "40", minutes: "7", seconds: "1" }] };
    const choice = choiceOf(6, form);
    expect(choice).toEqual({ level: 6, color: "white", kind: "delay", minutes: "7", seconds: "1", days: "3" });
    expect(formOf(choice)).toEqual({ ...form, black: form.periods, chess960: false });
    expect(readSettings({ computer: choice }, []).computer).toEqual(choice);
    const unlike = [{ level: 9 }, { color: "red" }, { kind: "hourglass" }, { minutes: 5 }, { seconds: "123456789" }];
    for (const wrong of [null, 3, {}, ...unlike.map((one) => ({ ...choice, ...one }))])
      expect(readSettings({ computer: wrong }, []).computer).toEqual(FIRST_COMPUTER);
  });

  test("is played again a level easier or harder, on the same terms and with the same colour", () => {
    expect([1, 4, 8].map((level) => levelsBeside({ level, here: null }, "drawn"))).toEqual([[2], [3, 5], [7]]);
    expect(levelsBeside({ level: 4, here: [4, 5, 8] }, "drawn")).toEqual([5]);
    expect(levelsBeside({ level: 4, here: [] }, "lost")).toEqual([]);
    expect(levelsBeside({ level: 4, here: null }, "noResult")).toEqual([3, 5]);
    // What fits the result comes first, and never the other one alone.
    for (const [fate, offered] of [
      ["lost", [[], [3, 5], [7]]],
      ["won", [[2], [5, 3], []]],
    ] as const)
      expect([1, 4, 8].map((level) => levelsBeside({ level, here: null }, fate))).toEqual(offered);
    expect(levelsBeside({ level: 4, here: [4, 5, 8] }, "lost")).toEqual([]);
    const options = { profile: "casual", ilc: "off", no_draw_offer_before_move: 0 } as const;
    const game = fromSnapshot(snapshot({ options }), AT);
    const terms = { time_control: game.control, options: { profile: "casual" }, color: "white", to_name: "Computer-3" };
    expect(challengeAgain(game, "white", 3)).toEqual(terms);
    const startFen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    expect(challengeAgain({ ...game, startFen }, "white", 3)).toEqual({ ...terms, fen: startFen });
    const drawn = challengeAgain({ ...game, startFen, variant: "chess960" }, "white", 3);
    expect(drawn).toEqual({ ...terms, variant: "chess960" });
  });

  test("is said to have the ratings that bot/README.md measures", () => {
    const readme = readFileSync(new URL("../../bot/README.md", import.meta.url), "utf8");
    const measured = [...readme.matchAll(/^\| ([1-8]) \| about (\d+) \|/gmu)].map(([, level, rating]) => [
      level,
      rating,
    ]);
    expect(LEVELS.map((level) => [String(level), String(ratingOf(level))])).toEqual(measured);
  });

  test("plays without a clock too", () => {
    expect(CONTROLS).toContain(null);
    expect(challengeComputer(1, withControl(formOf(FIRST_COMPUTER), null))).toMatchObject({
      time_control: { kind: "unlimited" },
      options: { profile: "casual" },
    });
  });

  test("is known by its name, which a program alone can have", () => {
    expect(levelOf({ name: "Computer-4", bot: true })).toBe(4);
    for (const other of [{ name: "Computer-4" }, { name: "Computer-9", bot: true }, { name: "MyBot", bot: true }])
      expect(levelOf(other)).toBeNull();
    for (const { lobby } of [ENGLISH, GERMAN]) expect(lobby.computer.strengths).toHaveLength(LEVELS.length);
  });
});
