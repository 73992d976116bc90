/** The server's own opponent: which levels are offered, and how one is challenged. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ENGLISH } from "../src/text";
import { catalogue as GERMAN } from "../src/text/de";
import {
  CONTROLS,
  FIRST_COMPUTER,
  LEVELS,
  STATUS_PATH,
  STRENGTHS,
  challengeComputer,
  levelOf,
  levelsHere,
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
    expect(STATUS_PATH.split(",")).toHaveLength(LEVELS.length);
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

  test("is said to play as its levels do", () => {
    const levels = readFileSync(new URL("../../bot/src/search/level.rs", import.meta.url), "utf8");
    const played = [...levels.matchAll(/^ {4}strength\((\w+), (\d+), \d+\),$/gmu)].map(([, plies, mistakes]) => ({
      plies: plies === "MAX_DEPTH" ? null : Number(plies),
      mistakes: Number(mistakes) / 10,
    }));
    expect(STRENGTHS).toEqual(played);
    const { looks, mistakes } = ENGLISH.lobby.computer;
    expect([looks(1), looks(4), mistakes(12), mistakes(0)]).toEqual([
      "It looks up to one half-move ahead.",
      "It looks up to 4 half-moves ahead.",
      "It chooses a weaker move in up to 12 of 100 moves.",
      "",
    ]);
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
