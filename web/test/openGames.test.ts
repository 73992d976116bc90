/** Which open games a player may join, which stand at a pool, and which one is offered to whoever waits. */
import { describe, expect, test } from "vitest";
import type { Challenge, TimeControl } from "#protocol";
import { firstApp } from "../src/state/app";
import { controlOfPool, poolWith } from "../src/state/lobby";
import { hasOpenGames, joinable, openGameFor, openIn, ownOpenGames } from "../src/state/openGames";
import { ALONE_AFTER_MS, NO_PAIRING, withPool } from "../src/state/pairing";
import { NOBODY } from "../src/state/people";
import { DEFAULT_SETTINGS } from "../src/state/settings";
import { catalogue as de } from "../src/text/de";
import { catalogue as en } from "../src/text/en";
import { briefOf } from "../src/text/terms";
import { waitingWords } from "../src/view/home/WaitingLine";
import { BLACK, WHITE, challenge } from "./scene";

const seek = (id: string, change: Partial<Challenge> = {}): Challenge => challenge(id, { seek: true, ...change });
const clock = (minutes: number): TimeControl => ({ kind: "clock", periods: [{ base_ms: minutes * 60_000 }] });

function app(seeks: readonly Challenge[], kind: "guest" | "registered" = "guest") {
  const lobby = { seeks, pools: {}, here: 2, live: { total: 0, games: [] }, liveAt: 0, moved: [] };
  const pairing = { ...withPool(NO_PAIRING, "5+3", [], 1000), pool: "5+3" as const };
  return { lobby, account: WHITE, people: { ...NOBODY, kind }, pairing };
}

describe("an open game", () => {
  test("is for others than its owner, and a rated one for registered players", () => {
    const own = seek("own", { by: { account: WHITE, name: "W" } });
    const rated = seek("rated", { rated: true });
    expect(joinable(app([own, rated]))).toEqual([]);
    expect([hasOpenGames(app([own])), hasOpenGames(app([own, rated]))]).toEqual([false, true]);
    expect(joinable(app([own, rated], "registered"))).toEqual([rated]);
    expect(joinable({ ...app([own]), account: BLACK })).toEqual([own]);
  });

  test("stands at the pool in which just that is played", () => {
    const games = [seek("plain"), seek("chess960", { variant: "chess960" }), seek("other", { time_control: clock(7) })];
    expect(openIn(app(games), "5+3").map((game) => game.challenge)).toEqual(["plain"]);
    expect(openIn(app(games), "3+2")).toEqual([]);
    expect(poolWith(controlOfPool("30+20"))).toBe("30+20");
    expect(poolWith({ kind: "days", days: 3 })).toBeNull();
  });

  test("is named in short, with what differs from a game out of a pool", () => {
    expect(briefOf(en, seek("plain"))).toBe("5+3 · Casual");
    expect(briefOf(en, seek("white", { color: "white" }))).toBe("5+3 · Casual · you play Black");
    expect(briefOf(de, seek("960", { variant: "chess960", rated: true }))).toBe("5+3 · Gewertet · Chess960");
  });
});

test("one waits for an own open game until it is being withdrawn", () => {
  const own = seek("own", { by: { account: WHITE, name: "W" } });
  const link = challenge("link", { by: { account: WHITE, name: "W" } });
  const first = firstApp(DEFAULT_SETTINGS, { at: "home" });
  const listed = { ...first, account: WHITE, challenges: { own, link, other: seek("other") } };
  expect(ownOpenGames(listed)).toEqual([own]);
  expect(waitingWords(listed, en)).toBe("Waiting for an opponent: 5+3");
  const message = { t: "cancel_challenge", d: { challenge: "own", id: "c1" } } as const;
  const going = { ...listed, link: { ...listed.link, outbox: [{ id: "c1", message, tries: 1 }] } };
  expect([ownOpenGames(going), waitingWords(going, en)]).toEqual([[], ""]);
});

describe("whoever waits in a pool", () => {
  const offered = (seeks: readonly Challenge[], waited: number) => openGameFor(app(seeks), 1000 + waited)?.challenge;

  test("is offered an open game with its clock as soon as the server has not paired the two", () => {
    const games = [seek("ten", { time_control: clock(10) }), seek("same", { color: "white" })];
    expect(offered(games, 500)).toBeUndefined();
    expect(offered(games, 1000)).toBe("same");
  });

  test("is offered one with another clock after a while, first one of the same speed", () => {
    const days = seek("days", { time_control: { kind: "days", days: 3 } });
    const ten = seek("ten", { time_control: clock(10) });
    const four = seek("four", { time_control: clock(4) });
    expect(offered([ten], ALONE_AFTER_MS - 1)).toBeUndefined();
    expect(offered([days, ten, four], ALONE_AFTER_MS)).toBe("four");
    expect(offered([days, ten], ALONE_AFTER_MS)).toBe("ten");
    expect(offered([days], ALONE_AFTER_MS)).toBeUndefined();
    expect(openGameFor({ ...app([ten]), pairing: NO_PAIRING }, 99_000)).toBeNull();
  });
});
