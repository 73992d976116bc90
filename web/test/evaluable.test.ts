/** What the server evaluates: which analysis is of a game that is over, and what is kept of it by which key. */
import { describe, expect, test } from "vitest";
import type { OutcomeView } from "#protocol";
import { fromSnapshot } from "zeitnot-client";
import { readPgn } from "../src/chess/pgn";
import { START_FEN } from "../src/chess/position";
import {
  type Analysis,
  NEW_ANALYSIS,
  analysisOf,
  analysisOfFen,
  analysisOfPgn,
  pgnOf,
} from "../src/state/analysis/analysis";
import { broughtIn, subjectOf, withResult } from "../src/state/analysis/evaluable";
import { mistakesIn } from "../src/state/analysis/mistakes";
import { notesOf } from "../src/state/analysis/notes";
import { withLine } from "../src/state/analysis/tree";
import { AT, GAME, snapshot } from "./scene";

const UCI: Readonly<Record<string, string>> = { f3: "f2f3", e5: "e7e5", g4: "g2g4", "Qh4#": "d8h4" };
const MATE: OutcomeView = { score: "0-1", reason: "checkmate" };

/** A PGN of a main line alone. */
function load(text: string, outcome: OutcomeView | null = null): Analysis {
  const pgn = readPgn(text);
  if ("error" in pgn) throw new Error(pgn.error);
  const moves = pgn.moves.map(({ san, glyph, comment }) => {
    const note = { ...(glyph ? { glyph } : {}), ...(comment ? { comment } : {}) };
    return { san, uci: UCI[san] ?? san, note };
  });
  return analysisOfPgn(withResult(pgn, outcome), withLine([], moves));
}

const keyOf = (text: string): string | undefined => broughtIn(load(text))?.key;

describe("a PGN is evaluated", () => {
  test("with a result, in its tags or after its moves", () => {
    const moves = ["f2f3", "e7e5"];
    for (const result of ["1-0", "0-1", "1/2-1/2"] as const) {
      const brought = { kind: "brought", start: START_FEN, chess960: false, moves, result };
      expect(broughtIn(load(`1. f3 e5 ${result}`))).toMatchObject(brought);
      expect(broughtIn(load(`[Result "${result}"]\n\n1. f3 e5`))).toMatchObject(brought);
    }
  });

  test("without one if it ends in checkmate or stalemate, and then has it", () => {
    const mated = load("1. f3 e5 2. g4 Qh4# *", MATE);
    expect(broughtIn(mated)).toMatchObject({ result: "0-1", moves: Object.values(UCI) });
    expect(pgnOf(mated)).toContain('[Result "0-1"]');
    expect(load("1. f3", { score: "1/2-1/2", reason: "stalemate" }).headers.Result).toBe("1/2-1/2");
    expect(load("1. f3", { score: "1/2-1/2", reason: "repetition" } as unknown as OutcomeView).headers.Result).toBe(
      undefined,
    );
    expect(load("1. f3 1-0", MATE).headers.Result, "what it says itself stays").toBe("1-0");
  });

  test("in no other case: it may be a game that somebody plays", () => {
    for (const text of ["1. f3 e5 *", "1. f3 e5", '[Result "?"]\n\n1. f3 e5'])
      expect(broughtIn(load(text)), text).toBe(null);
    const bare = load(`[FEN "${START_FEN}"]\n[Result "1-0"]\n\n1-0`);
    for (const one of [bare, NEW_ANALYSIS, analysisOfFen(START_FEN)]) expect(broughtIn(one)).toBe(null);
  });
});

test("the key of a game that was brought along is that of its moves, and of no other game", () => {
  const key = keyOf("1. f3 e5 1-0");
  expect(key).toMatch(/^pgn-[0-9a-f]{8}-2$/u);
  expect(keyOf('[White "Somebody"]\n\n1. f3 {a note} e5 0-1')).toBe(key);
  const others = ["1. f3 1-0", "1. e5 f3 1-0", '[Variant "Chess960"]\n\n1. f3 e5 1-0'].map(keyOf);
  expect(new Set([key, ...others]).size).toBe(4);
});

describe("what an analysis is of", () => {
  test("is a game of the server", () => {
    const game = fromSnapshot(snapshot({ state: { phase: "ended", outcome: MATE } }), AT);
    expect(subjectOf(game, analysisOf(game, null))).toEqual({
      moves: game,
      noted: null,
      evaluable: { kind: "game", key: GAME },
    });
  });

  test("is a game that was brought along, with its times, and marks that are not the server's stay in its tree", () => {
    const { moves, noted, evaluable } = subjectOf(null, load("1. f3?? {[%clk 0:01:00]} e5 1-0"));
    expect([moves?.plyCount, moves?.plies[0]?.white_ms, noted, evaluable?.kind]).toEqual([2, 60_000, null, "brought"]);
  });

  test("is a PGN with its own evaluations, or with its own marks where the server has none", () => {
    const own = subjectOf(null, load("1. f3 {[%eval -0.9]} e5 {[%eval -0.8]} 1-0"));
    expect([Object.keys(own.noted?.known ?? {}), own.evaluable]).toEqual([["1", "2"], null]);
    const anew = subjectOf(null, load("1. f3 {[%eval -0.9]} e5 {[%eval -0.8]} 1-0"), true);
    expect([anew.noted, anew.evaluable?.kind], "unless the server's are wanted").toEqual([null, "brought"]);
    const marked = subjectOf(null, load("1. f3?? e5 *"));
    expect([marked.noted?.mistakes.length, marked.moves?.plyCount, marked.evaluable]).toEqual([1, 2, null]);
  });

  test("is nothing beside a position, and moves of which nothing is noted", () => {
    const nothing = { moves: null, noted: null, evaluable: null };
    for (const one of [NEW_ANALYSIS, load("1. f3 e5 *")]) expect(subjectOf(null, one)).toEqual(nothing);
  });
});

test("the PGN that goes out has the server's evaluations before what was noted, and its mark in the place of another", () => {
  const brought = load("{An opening} 1. f3?! $14 {[%eval -0.5] [%clk 0:01:00] weak} e5 {fine} 1-0");
  const { moves } = subjectOf(null, brought, true);
  const worths = [20, -200, -180];
  const known = worths.map((centipawns, ply) => {
    return { game: "", ply, fen: START_FEN, centipawns, mate: null, depth: 12, line: [{ uci: "d2d4", san: "d4" }] };
  });
  if (!moves) throw new Error("a game");
  const written = pgnOf(brought, notesOf(moves, known, mistakesIn(moves, known), []));
  expect(written.replace(/\s+/gu, " ")).toContain(
    "{[%eval 0.20] [%best d4] An opening} 1. f3 $4 $14 {[%eval -2.00] [%best d4] [%clk 0:01:00] weak} 1... e5 {[%eval -1.80] [%best d4] fine} 1-0",
  );
});
