/** One's own last games on the home page: from the archive and from this page, each once, in their order. */
import type { PlayedGame } from "#protocol";
import { fromSnapshot } from "zeitnot-client";
import { describe, expect, test } from "vitest";
import { RECENT_MAX, keepPlaces, keptPlaces, latestGames, recentGames } from "../src/state/recentGames";
import { catalogue as en } from "../src/text/en";
import { showAgo } from "../src/view/locale";
import { AT, BLACK, WHITE, snapshot } from "./scene";

function played(game: string, ended: number, change: Partial<PlayedGame> = {}): PlayedGame {
  const { players, variant, time_control, fen } = snapshot();
  const result = { score: "1-0", reason: "checkmate" } as const;
  return {
    game,
    players,
    variant,
    time_control,
    ...result,
    fen,
    last: "e2e4",
    ply_count: 7,
    began: 1,
    ended,
    ...change,
  };
}

const over = (id: string, began: number) =>
  fromSnapshot(
    snapshot({
      game: id,
      began,
      rated: true,
      ply_count: 1,
      plies: [{ ply: 1, uci: "e2e4", san: "e4", white_ms: 1, black_ms: 1, took: 1, credit: 0 }],
      state: { phase: "ended", outcome: { score: "1/2-1/2", reason: "agreement" } },
    }),
    AT,
  );

test("the latest games of a server are three of others, with a move in them", () => {
  const of = (account: string) => ({ white: { account, name: "W" }, black: { account: "other", name: "B" } });
  const games = ["a", "b", "c", "d", "e", "f"].map((id) => played(id, 1, { players: of(id) }));
  const found = (account: string | null, more: readonly PlayedGame[] = []) =>
    latestGames([...more, ...games], account).map(({ game }) => game);
  expect(found(null)).toEqual(["a", "b", "c"]);
  expect(found("b")).toEqual(["a", "c", "d"]);
  expect(found("other")).toEqual([]);
  expect(found(null, [played("aborted", 9, { ply_count: 0 })])).toEqual(["a", "b", "c"]);
});

describe("the last games", () => {
  test("are seen from one's own side, the latest first, no more than there are places", () => {
    const games = [5, 9, 7, 3, 1].map((ended) => played(`g${ended}`, ended));
    const found = recentGames(BLACK, games, []);
    expect(found.map(({ id }) => id)).toEqual(["g9", "g7", "g5", "g3"]);
    expect(found).toHaveLength(RECENT_MAX);
    expect(found[0]).toMatchObject({ seat: "black", fate: "lost", last: "e2e4", opponent: { name: "Guest-W" } });
  });

  test("are also those that have ended while the page is open, each once", () => {
    const games = [played("g9", 9), played("g5", 5)];
    const found = recentGames(WHITE, games, [over("new", 10), over("g9", 8), over("old", 2)]);
    expect(found.map(({ id }) => id)).toEqual(["new", "g9", "g5", "old"]);
    expect(found[0]).toMatchObject({ fate: "drawn", last: "e2e4", format: { rated: true } });
  });

  test("say what they did to one's own rating, if anything", () => {
    const ratings = { white: { before: 1500, after: 1508 }, black: { before: 1600, after: 1592 } };
    const ended = { ...over("new", 10), ratings };
    const found = recentGames(BLACK, [played("g1", 1, { ratings }), played("g0", 0)], [ended]);
    expect(found.map(({ step }) => step && step.after - step.before)).toEqual([-8, -8, null]);
  });

  test("have a move in them, and were one's own", () => {
    expect(recentGames(WHITE, [played("g1", 1, { ply_count: 0 })], [])).toEqual([]);
    expect(recentGames("somebody", [], [over("new", 10)])).toEqual([]);
  });
});

test("places are kept free for as many as were shown, whatever was stored", () => {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
  expect(keptPlaces(storage)).toBe(0);
  keepPlaces(storage, 3);
  expect(keptPlaces(storage)).toBe(3);
  for (const [bad, read] of [
    ["99", RECENT_MAX],
    ["-1", 0],
    ["x", 0],
  ] as const) {
    stored.set("zeitnot.recent", bad);
    expect(keptPlaces(storage)).toBe(read);
  }
});

test("a game that has just ended was played just now, whatever the clock of the page says", () => {
  const now = Date.now() / 1000;
  const ago = (seconds: number) => showAgo(en, now - seconds);
  expect([ago(-30), ago(0), ago(59), ago(61), ago(7_300)]).toEqual([
    "just now",
    "just now",
    "just now",
    "1 minute ago",
    "2 hours ago",
  ]);
});
