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
  challengeComputer,
  levelOf,
  levelsHere,
  ratingOf,
} from "../src/state/computer";

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
    expect(challengeComputer({ level: 8, color: "black", control: [5, 3] })).toEqual({
      time_control: { kind: "clock", periods: [{ base_ms: 300_000, increment_ms: 3000 }] },
      color: "black",
      options: { profile: "casual" },
      to_name: "Computer-8",
    });
    expect(challengeComputer({ ...FIRST_COMPUTER, control: [30, 0] })).toEqual({
      time_control: { kind: "clock", periods: [{ base_ms: 1_800_000 }] },
      options: { profile: "casual" },
      to_name: "Computer-3",
    });
    expect(CONTROLS).toContainEqual(FIRST_COMPUTER.control);
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
    expect(challengeComputer({ level: 1, color: "white", control: null })).toMatchObject({
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
