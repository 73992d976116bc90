/** Other players: the course of a rating, muting, phrases, reports, and rated games. */
import type { CategoryRating, PastRating, Player, TimeControl } from "#protocol";
import { fromSnapshot } from "zeitnot-client";
import { describe, expect, test } from "vitest";
import { firstApp, receive } from "../src/state/app";
import { chatOf, writersOf } from "../src/state/chat";
import { lobbyOf } from "../src/state/lobby";
import { highlightsOf } from "../src/state/highlights";
import { chartOf, nearestTo, ratingFor } from "../src/state/ratings";
import { reportOf } from "../src/state/reports";
import { FOLLOWED_MAX, mainRating, playingOf } from "../src/state/followed";
import { DEFAULT_SETTINGS, MUTED_MAX, readSettings, withAccount } from "../src/state/settings";
import { FIRST_SETUP, canBeRated, challengeOf } from "../src/state/setup";
import { ENGLISH, LANGUAGES } from "../src/text";
import { phrasesIn, showLine } from "../src/text/phrases";
import { detailsOf } from "../src/text/terms";
import { AT, BLACK, GAME, WHITE, challenge, liveGame, snapshot } from "./scene";

function change(at: number, before: number, after: number): PastRating {
  return { cause: "game", game: GAME, color: "white", opponent: BLACK, opponent_rating: 1500, before, after, at };
}

test("of a player's ratings the one counts that is of the category of a game", () => {
  const ratings = (["blitz", "correspondence", "chess960"] as const).map(
    (category): CategoryRating => ({ category, rating: 1500, games: 1 }),
  );
  const clock: TimeControl = { kind: "clock", periods: [{ base_ms: 300_000, increment_ms: 3000 }] };
  const days: TimeControl = { kind: "days", days: 3 };
  expect(ratingFor(ratings, { variant: "standard", time_control: clock })?.category).toBe("blitz");
  expect(ratingFor(ratings, { variant: "standard", time_control: days })?.category).toBe("correspondence");
  expect(ratingFor(ratings, { variant: "chess960", time_control: clock })?.category).toBe("chess960");
  expect(ratingFor(ratings, { variant: "standard", time_control: { kind: "unlimited" } })).toBeUndefined();
});

describe("the course of a rating", () => {
  test("is drawn by time, between whole fifties", () => {
    const day = 86_400;
    const chart = chartOf([change(4 * day, 1580, 1620), change(day, 1500, 1580), change(0, 1512, 1500)]);
    expect(chart).toMatchObject({ bottom: 1500, top: 1650, first: 1512, last: 1620, lowest: 1500, highest: 1620 });
    expect(chart?.line).toEqual(chart?.points);
    expect(chart?.points.map(({ x }) => x)).toEqual([0, 0.25, 1]);
    expect(chart?.points.map(({ change }) => change.after)).toEqual([1500, 1580, 1620]);
    expect([-1, 0.1, 0.2, 0.6, 0.7, 2].map((x) => nearestTo(chart?.points ?? [], x))).toEqual([0, 0, 1, 1, 2, 2]);
    expect(chart?.points.map(({ y }) => Math.round(y * 150))).toEqual([0, 80, 120]);
  });

  test("of one day is spread evenly and begins with the rating before it, and of no game is not drawn", () => {
    expect(chartOf([])).toBeNull();
    const one = chartOf([change(100, 1500, 1500)]);
    expect(one?.line).toMatchObject([
      { x: 0, y: 0 },
      { x: 1, y: 0 },
    ]);
    expect(one?.points).toMatchObject([{ x: 1, y: 0 }]);
    const day = chartOf([change(90, 1510, 1520), change(10, 1500, 1510)]);
    expect(day).toMatchObject({ first: 1500, lowest: 1500, last: 1520 });
    expect(day?.line.map(({ x }) => x)).toEqual([0, 0.5, 1]);
    expect(day?.points.map(({ x, change }) => [x, change.after])).toEqual([
      [0.5, 1510],
      [1, 1520],
    ]);
  });
});

describe("what stands out in a rating", () => {
  const game = (n: number, more: Partial<PastRating>): PastRating => ({
    ...change(n, 1500, 1500),
    game: `${n}`,
    ...more,
  });

  test("is the peak, the best win, and the average of the opponents", () => {
    const found = highlightsOf([
      game(3, { after: 1540, opponent_rating: 1700, half_points: 1 }),
      game(2, { after: 1560, opponent_rating: 1600, half_points: 2 }),
      game(1, { after: 1800, opponent_rating: 1401, half_points: 2, provisional: true }),
    ]);
    expect([found?.peak.game, found?.best?.game, found?.opponents]).toEqual(["2", "2", 1567]);
  });

  test("is provisional where nothing else is there; a win that was corrected is none", () => {
    const won = game(1, { after: 1600, half_points: 2, provisional: true });
    const corrected = game(2, { cause: "correction", game: "1", half_points: 0, after: 1450, provisional: true });
    expect(highlightsOf([corrected, won])).toEqual({ peak: won, best: null, opponents: 1500 });
    expect(highlightsOf([])).toBeNull();
  });
});

describe("a muted player", () => {
  const said = (by: string, n: number) =>
    ({ t: "said", d: { game: GAME, room: "players", n, by: { account: by, name: by }, text: "hi", at: 1 } }) as const;
  const app = {
    ...firstApp({ ...DEFAULT_SETTINGS, muted: [BLACK] }, { at: "game", id: GAME } as const),
    account: WHITE,
  };

  test("is heard by nobody and makes nothing unread, and yet is kept", () => {
    const room = chatOf(receive(app, said(BLACK, 1), AT, null), GAME).players;
    expect([room.lines.length, room.unread, room.isNews]).toEqual([1, 0, false]);
    const loud = { ...app, settings: DEFAULT_SETTINGS };
    expect(chatOf(receive(loud, said(BLACK, 1), AT, null), GAME).players).toMatchObject({ unread: 1, isNews: true });
  });

  test("is one of the last twenty, and no longer one after unmuting", () => {
    const all = Array.from({ length: 25 }, (_, n) => `a${n}`).reduce<readonly string[]>(
      (muted, account) => withAccount(muted, account, true, MUTED_MAX),
      [],
    );
    expect([all.length, all[0], all.includes("a4")]).toEqual([20, "a24", false]);
    expect(withAccount(withAccount(all, "a24", true, MUTED_MAX), "a24", false, MUTED_MAX)).toEqual(all.slice(1));
    expect(readSettings({ muted: ["a"] }, []).muted).toEqual(["a"]);
    for (const muted of ["a", [1], Array(21).fill("a")]) expect(readSettings({ muted }, []).muted).toEqual([]);
  });

  test("is among those who have written, once, the last one first, without oneself", () => {
    const heard = [said(BLACK, 1), said(WHITE, 2), said("x", 3), said(BLACK, 4)].reduce(
      (before, message) => receive(before, message, AT, null),
      app as ReturnType<typeof firstApp>,
    );
    const writers = writersOf(chatOf(heard, GAME).players, WHITE);
    expect(writers.map(({ account }) => account)).toEqual([BLACK, "x"]);
  });
});

test("a phrase is read in the reader's language, everything else as it was written", () => {
  for (const writer of LANGUAGES)
    for (const reader of LANGUAGES)
      expect(phrasesIn(writer).map((line) => showLine(reader, line))).toEqual(phrasesIn(reader));
  expect(showLine("de", "Thank you! Again?")).toBe("Thank you! Again?");
});

test("a report names a room only together with lines", () => {
  const place = { game: GAME, room: "players" } as const;
  expect(reportOf("a", "spam", " why ", null, [])).toEqual({ who: "a", reason: "spam", text: "why" });
  expect(reportOf("a", "spam", "", place, [])).toEqual({ who: "a", reason: "spam", text: "", game: GAME });
  expect(reportOf("a", "spam", "", place, [3, 5])).toMatchObject({ ...place, lines: [3, 5] });
});

describe("a rated game", () => {
  const setup = { ...FIRST_SETUP, rated: true };

  test("is asked for only where it can be", () => {
    expect(challengeOf(setup).rated).toBe(true);
    expect(canBeRated({ ...setup, chess960: true })).toBe(true);
    for (const not of [{ kind: "unlimited" }, { unequal: true }, { fen: "8/8" }, { profile: "casual" }] as const)
      expect(challengeOf({ ...setup, ...not }).rated).toBeUndefined();
    expect(challengeOf(FIRST_SETUP).rated).toBeUndefined();
  });

  test("in the lobby may be for some ratings, in whatever order they are typed", () => {
    const typed = { ...setup, ratingLeast: "1800", ratingMost: "1400" };
    expect(challengeOf({ ...typed, audience: "lobby" })).toMatchObject({ rating_min: 1400, rating_max: 1800 });
    expect(challengeOf({ ...typed, audience: "lobby", ratingLeast: "" })).not.toHaveProperty("rating_min");
    expect(challengeOf({ ...typed, audience: "link" })).not.toHaveProperty("rating_max");
  });

  test("says for which ratings it is", () => {
    const terms = (ranges: object) => detailsOf(ENGLISH, challenge("c", { rated: true, ...ranges }), "joiner");
    expect(terms({})).toBe("you get a random colour");
    expect(terms({ rating_min: 1400 })).toContain("rating 1400 or more");
    expect(terms({ rating_max: 1400 })).toContain("rating 1400 or less");
    expect(terms({ rating_min: 1400, rating_max: 1800 })).toContain("rating 1400 to 1800");
  });

  test("names the rules unless they are said elsewhere", () => {
    const casual = challenge("c", {});
    const terms = { ...casual, options: { ...casual.options, profile: "casual" as const } };
    expect(detailsOf(ENGLISH, terms, "joiner")).toBe("you get a random colour · Takebacks allowed");
    expect(detailsOf(ENGLISH, terms, "joiner", false)).toBe("you get a random colour");
  });
});

describe("players whom one follows", () => {
  test("are kept as far as the settings have room, and nothing else is read as them", () => {
    const all = Array.from({ length: FOLLOWED_MAX }, (_, n) => `a${n}`);
    expect(readSettings({ followed: all }, []).followed).toEqual(all);
    for (const followed of ["a", [1], [...all, "b"]]) expect(readSettings({ followed }, []).followed).toEqual([]);
  });

  test("play a game that one can watch, with the opponent as far as the lobby shows it", () => {
    const player: Player = { account: BLACK, name: "B", here: true, live: [] };
    const quiet = { ...firstApp(DEFAULT_SETTINGS, { at: "home" }), account: "reader" };
    expect(playingOf(player, quiet)).toBeNull();
    const busy = { ...player, live: [GAME] };
    expect(playingOf(busy, quiet)).toEqual({ kind: "another", game: GAME, opponent: null });
    const live = { total: 1, games: [liveGame("SHOWN")] };
    const lobby = lobbyOf({ seeks: [], pools: [], here: 0, live }, 0);
    expect(playingOf(player, { ...quiet, lobby })).toEqual({ kind: "another", game: "SHOWN", opponent: "Guest-W" });
  });

  test("play against oneself, which is nothing to watch", () => {
    const player: Player = { account: BLACK, name: "B", here: true, live: [GAME] };
    const app = firstApp(DEFAULT_SETTINGS, { at: "home" });
    const games = { [GAME]: fromSnapshot(snapshot(), AT) };
    expect(playingOf(player, { ...app, account: WHITE, games })).toEqual({ kind: "you" });
    const slow = { [GAME]: fromSnapshot(snapshot({ time_control: { kind: "days", days: 3 } }), AT) };
    expect(playingOf(player, { ...app, account: WHITE, games: slow })).toBeNull();
  });

  test("have a main rating: that of the most games", () => {
    expect(mainRating([])).toBeNull();
    const ratings: CategoryRating[] = [
      { category: "bullet", rating: 1500, games: 2 },
      { category: "rapid", rating: 1600, games: 7 },
    ];
    expect(mainRating(ratings)?.category).toBe("rapid");
  });
});
