/** The search for finished games as queries of the server's, and what the page itself looks at. */
import { describe, expect, test } from "vitest";
import type { PlayedGame } from "#protocol";
import {
  NO_FILTER,
  allSides,
  areDecided,
  areMoves,
  bySide,
  conditionsOf,
  filterIn,
  isAgainst,
  isSameFilter,
  isWholeDay,
  parametersOf,
} from "../src/state/gameFilter";
import { decided, decidedOf, tallyOf } from "../src/state/gameTally";
import { BLACK, WHITE } from "./scene";

const entries = (query: string | undefined) => Object.fromEntries(new URLSearchParams(query));

describe("a search for finished games", () => {
  test("without a condition asks for all games of the player", () => {
    expect([allSides(BLACK, NO_FILTER), conditionsOf(NO_FILTER)]).toEqual([[`player=${BLACK}`], 0]);
  });

  test("has a parameter for each condition, and the last day counts", () => {
    const filter = {
      player: "",
      opponent: " Morphy ",
      color: "white",
      fate: "won",
      reason: "checkmate",
      category: "blitz",
      rated: "true",
      origin: "here",
      since: "2026-02-01",
      until: "2026-02-28",
      opening: "1. e4 e5",
    } as const;
    const [query, ...others] = allSides(BLACK, filter, { moves: "e2e4,e7e5" });
    expect(others).toEqual([]);
    expect(entries(query)).toEqual({
      player: BLACK,
      opponent: "Morphy",
      color: "white",
      result: "1-0",
      reason: "checkmate",
      category: "blitz",
      rated: "true",
      imported: "false",
      since: "2026-02-01",
      until: "2026-03-01",
      moves: "e2e4,e7e5",
    });
    expect(conditionsOf(filter)).toBe(10);
  });

  test("among the games of everybody asks for nobody's side or opponent, and for what White won", () => {
    const filter = { ...NO_FILTER, color: "black", opponent: "Morphy", fate: "won" } as const;
    expect(allSides("", filter)).toEqual(["result=1-0"]);
    expect(bySide("", filter)).toEqual([{ color: "white", query: "result=1-0" }]);
    expect(allSides("Dekker,M", { ...filter, player: "Dekker,M" }).map(entries)).toEqual([
      { player: "Dekker,M", color: "black", opponent: "Morphy", result: "0-1" },
    ]);
  });

  test("won games are those won as White and those won as Black; drawn ones need no side", () => {
    const results = (fate: "won" | "lost" | "drawn" | "noResult") =>
      allSides(BLACK, { ...NO_FILTER, fate }).map((query) => [entries(query).color, entries(query).result]);
    expect(results("won")).toEqual([
      ["white", "1-0"],
      ["black", "0-1"],
    ]);
    expect(results("lost")).toEqual([
      ["white", "0-1"],
      ["black", "1-0"],
    ]);
    expect([results("drawn"), results("noResult")]).toEqual([[[undefined, "1/2-1/2"]], [[undefined, "*"]]]);
    const lostAsBlack = bySide(BLACK, { ...NO_FILTER, fate: "lost", color: "black" });
    expect(lostAsBlack.map(({ color, query }) => [color, entries(query).result])).toEqual([["black", "1-0"]]);
  });

  test("is the same with the same conditions, and no day is taken before its year is typed", () => {
    const won = { ...NO_FILTER, fate: "won" as const };
    expect([isSameFilter(won, { ...won, opponent: " " }), isSameFilter(won, NO_FILTER)]).toEqual([true, false]);
    expect(["", "0002-11-21", "0202-11-21", "2026-11-21"].map(isWholeDay)).toEqual([true, false, false, true]);
  });

  test("has an opening by its name or by its moves", () => {
    const named = allSides(BLACK, NO_FILTER, { opening: "Sicilian Defense" });
    expect(named.map(entries)).toEqual([{ player: BLACK, opening: "Sicilian Defense" }]);
    for (const moves of ["1. e4 e5", "1.e4", " e4", "e2e4,e7e5", "Nf3", "Sf3", "O-O", "Nbd7", "exd5"])
      expect(areMoves(moves), moves).toBe(true);
    for (const name of ["Sicilian", "bird", "Réti", "English Opening", "B90", "c", ""])
      expect(areMoves(name), name).toBe(false);
  });

  test("sends a day that is none as it is: the server names it", () => {
    expect(entries(allSides(BLACK, { ...NO_FILTER, until: "soon" })[0]).until).toBe("soon");
  });
});

test("an opponent is found by a part of the name, in capitals or not", () => {
  const game = {
    score: "1-0",
    players: { white: { account: WHITE, name: "Guest-A6AEN" }, black: { account: BLACK, name: "Fianchetto" } },
  } as PlayedGame;
  const black = { account: BLACK, name: "" };
  expect(["a6a", " GUEST ", "fian"].map((part) => isAgainst(game, black, part))).toEqual([true, true, false]);
  expect(isAgainst(game, { account: WHITE, name: "" }, "CHET")).toBe(true);
  // Somebody without an account is known by the name.
  expect(isAgainst(game, { account: null, name: "fianchetto" }, "guest")).toBe(true);
  // The guest of that day has another name today.
  expect([isAgainst(game, black, "late", [WHITE]), isAgainst(game, black, "late", [BLACK])]).toEqual([true, false]);
});

test("what was won and lost is counted from the player's side, as certainly as the server has counted", () => {
  const asWhite = { games: 10, white_wins: 6, black_wins: 3, draws: 1, others: 0 };
  const asBlack = { games: { at_least: 1000 }, white_wins: 4, black_wins: { at_least: 990 }, draws: 0, others: 2 };
  const tally = tallyOf([
    { color: "white", counts: asWhite },
    { color: "black", counts: { ...asBlack, indexing: true } },
  ]);
  expect(tally).toEqual({
    games: { at_least: 1010 },
    won: { at_least: 996 },
    lost: 7,
    drawn: 1,
    others: 2,
    isIndexing: true,
  });
});

test("games without a result are left out of those of everybody until a result, a reason or a player is asked for", () => {
  expect([NO_FILTER, { ...NO_FILTER, category: "blitz" } as const].map(areDecided)).toEqual([true, true]);
  const asked = [{ fate: "noResult" }, { reason: "aborted" }, { player: "Dekker,M" }] as const;
  expect(asked.map((one) => areDecided({ ...NO_FILTER, ...one }))).toEqual([false, false, false]);
  const counts = { games: { at_least: 1000 }, white_wins: { at_least: 900 }, black_wins: 50, draws: 40, others: 10 };
  const tally = tallyOf([{ color: "white", counts }]);
  expect(decidedOf(counts)).toEqual({ at_least: 990 });
  expect(decided(tally)).toEqual({ ...tally, games: { at_least: 990 }, others: 0 });
});

test("a filter is read again from its address, and nothing else is taken for one", () => {
  const filter = { ...NO_FILTER, opponent: "ann", fate: "won", since: "2026-11-21", opening: "1. e4 e5" } as const;
  const address = parametersOf({ ...filter, opponent: " ann " });
  expect(address).toBe("against=ann&result=won&since=2026-11-21&opening=1.+e4+e5");
  expect(filterIn(new URLSearchParams(`${address}&other=x`))).toEqual(filter);
  for (const address of ["", "result=lucky&color=red&rated=1&category=constructor&against=%20"])
    expect(filterIn(new URLSearchParams(address))).toEqual(NO_FILTER);
  expect(parametersOf(NO_FILTER)).toBe("");
});
