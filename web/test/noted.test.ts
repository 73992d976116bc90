/** What a loaded PGN notes of its moves: read in each spelling, shown as marks, evaluations and times, and written again. */
import { fromSnapshot } from "zeitnot-client";
import type { Evaluation } from "#protocol";
import { describe, expect, test } from "vitest";
import { readPgn } from "../src/chess/pgn";
import { readFen } from "../src/chess/position";
import { type Analysis, analysisOf, analysisOfPgn, pgnOf } from "../src/state/analysis/analysis";
import { gameNamedBy, markIn, notedIn, signsIn, wordsIn } from "../src/state/analysis/noted";
import { averageLoss, countsOf, mistakesIn } from "../src/state/analysis/mistakes";
import { notesOf } from "../src/state/analysis/notes";
import { timesOf } from "../src/state/analysis/times";
import { nodesOn, treeOf } from "../src/state/analysis/tree";
import { AT, GAME, snapshot } from "./scene";

const UCI: Readonly<Record<string, string>> = { f3: "f2f3", e5: "e7e5", g4: "g2g4", "Qh4#": "d8h4", e4: "e2e4" };

async function load(text: string): Promise<Analysis> {
  const pgn = readPgn(text);
  if ("error" in pgn) throw new Error(pgn.error);
  const names = Object.fromEntries(Object.entries(UCI).map(([san, uci]) => [uci, san]));
  const tree = await treeOf(pgn, async (moves) =>
    moves.map((move) => ({ uci: UCI[move] ?? move, san: names[move] ?? move })),
  );
  if (!Array.isArray(tree)) throw new Error("not read");
  return analysisOfPgn(pgn, tree);
}

/** As a PGN has a clock. */
const tenths = (ms: number | null): number | null => ms && Math.floor(ms / 100) * 100;

const OWN = `[TimeControl "180+2"]
[Result "0-1"]

1. f3 $6 {[%eval -0.90] [%clk 0:02:59.0]} 1... e5 {[%eval -0.80] [%clk
0:02:56.0]} (1... e4 $2 {why not}) 2. g4 $4 {[%eval #-1] [%clk 0:02:41.0]} 2... Qh4# {[%clk 0:02:57.5]} 0-1
`;

test("a PGN says of moves what is no mistake, by glyphs and by punctuation, and keeps all of it", async () => {
  const loaded = await load("1. f3!? $14 e5 $18 $146 (1... e4!) *");
  const [first, second] = nodesOn(loaded.tree, ["f2f3", "e7e5"]);
  expect([signsIn(first?.note), signsIn(second?.note), markIn(first?.note)]).toEqual([["!?", "+="], ["+−"], null]);
  expect(pgnOf(loaded)).toContain("1. f3 $5 $14 e5 $18 $146 (1... e4 $1)");
});

describe("what a PGN notes of its moves", () => {
  test("becomes evaluations, marks and times", async () => {
    const noted = notedIn(await load(OWN));
    const known = Object.values(noted?.known ?? {}).map(({ ply, centipawns, mate }) => [ply, centipawns, mate]);
    expect(known).toEqual([
      [1, -90, null],
      [2, -80, null],
      [3, null, -1],
      [4, null, 0],
    ]);
    expect(readFen(noted?.known[4]?.fen ?? "").turn).toBe("white");
    expect(noted?.mistakes.map(({ ply, color, mark, before }) => [ply, color, mark, before?.centipawns])).toEqual([
      [1, "white", "?!", undefined],
      [3, "white", "??", -80],
    ]);
    expect(noted && timesOf(noted.moves).map(({ took, clock }) => [took, clock])).toEqual([
      [3_000, 179_000],
      [6_000, 176_000],
      [20_000, 161_000],
      [500, 177_500],
    ]);
  });

  test("is written again as it was read, in side lines too", async () => {
    const analysis = await load(OWN);
    expect(pgnOf(analysis).replace(/\s+/gu, " ")).toBe(OWN.replace(/\s+/gu, " "));
    expect(
      Math.max(
        ...pgnOf(analysis)
          .split("\n")
          .map((row) => row.length),
      ),
    ).toBeLessThanOrEqual(80);
    expect(markIn(nodesOn(analysis.tree, ["f2f3", "e2e4"])[1]?.note)).toBe("?");
  });

  test("in words is kept: before the first move, after a move, and before that of a variation", async () => {
    const text = "{An opening} 1. f3 {[%clk 0:02:59.0] weak {here} e5 ({better} 1... e4 {or not}) 2. g4 *";
    const analysis = await load(text);
    const said = (...path: string[]) => wordsIn(nodesOn(analysis.tree, path).at(-1)?.note?.comment);
    expect([wordsIn(analysis.comment), said("f2f3"), said("f2f3", "e2e4"), said("f2f3", "e7e5")]).toEqual([
      "An opening",
      "weak {here",
      "better or not",
      "",
    ]);
    expect(pgnOf(analysis).trim()).toBe(
      "{An opening} 1. f3 {[%clk 0:02:59.0] weak {here} 1... e5 (1... e4 {better or\nnot}) 2. g4 *",
    );
  });

  test("of a game that was analysed here, gives its numbers again", async () => {
    const clocks = [
      [180_000, 180_000, 3_241],
      [180_000, 180_000, 812],
      [176_450, 180_000, 5_550],
      [176_450, 181_000, 1_000],
    ] as const;
    const plies = (["f3", "e5", "g4", "Qh4#"] as const).map((san, at) => {
      const [white_ms = 0, black_ms = 0, took = 0] = clocks[at] ?? [];
      return { ply: at + 1, uci: UCI[san] ?? "", san, white_ms, black_ms, took, credit: 0 };
    });
    const outcome = { score: "0-1", reason: "checkmate" } as const;
    const game = fromSnapshot(snapshot({ plies, ply_count: 4, state: { phase: "ended", outcome } }), AT);
    const worths = [
      [31, null, "e4"],
      [-90, null, "e5"],
      [-40, null, "Nc3"],
      [null, -1, "Qh4#"],
      [null, 0, null],
    ] as const;
    const known = worths.map(([centipawns, mate, best], ply): Evaluation => {
      const line = best === null ? [] : [{ uci: UCI[best] ?? "b1c3", san: best }];
      return { game: GAME, ply, fen: ply === 4 ? "8/8/8/8/8/8/8/8 w - - 0 1" : "", centipawns, mate, depth: 12, line };
    });
    const mistakes = mistakesIn(game, known);
    const written = pgnOf(
      { ...analysisOf(game, null), headers: { TimeControl: "180+2", Result: "0-1" } },
      notesOf(game, known, mistakes),
    );
    const noted = notedIn(await load(written));
    if (!noted) throw new Error("nothing was read");
    expect(timesOf(noted.moves)).toEqual(
      timesOf(game).map((time) => ({
        ...time,
        clock: tenths(time.clock),
        took: Math.round((time.took ?? 0) / 100) * 100,
      })),
    );
    for (const color of ["white", "black"] as const) {
      expect(averageLoss(noted.moves, noted.known, color)).toBe(averageLoss(game, known, color));
      expect(countsOf(noted.mistakes, color)).toEqual(countsOf(mistakes, color));
    }
    expect(Object.keys(noted.known), "the first position too").toEqual(["0", "1", "2", "3", "4"]);
  });

  test("counts no time where the clock did not run in a side's first turn", async () => {
    const ours = `[TimeControl "600+5"]\n\n1. f3 {[%clk 0:10:00.0]} 1... e5 {[%clk 0:10:00.0]} 2. g4 {[%clk 0:10:03.0]} *`;
    expect(notedIn(await load(ours))?.moves.plies.map(({ took }) => took)).toEqual([null, null, 2_000]);
  });

  test("is read as lichess.org and chess.com write it", async () => {
    const lichess = notedIn(await load("1. f3?! { [%eval -0.9,20] [%clk 0:03:00] } 1... e5 { [%eval 0.1] } 2. g4?? *"));
    expect([lichess?.known[1]?.depth, lichess?.mistakes.map(({ mark }) => mark)]).toEqual([20, ["?!", "??"]]);
    const chessCom = notedIn(
      await load(
        '[TimeControl "180"]\n1. f3 {[%clk 0:02:58.1][%timestamp 19]} 1... e5 {[%clk 0:02:59][%emt 0:00:02]} *',
      ),
    );
    expect(chessCom?.moves.plies.map(({ took, white_ms, black_ms }) => [took, white_ms, black_ms])).toEqual([
      [1_900, 178_100, 180_000],
      [2_000, 178_100, 179_000],
    ]);
  });

  test("marks by the evaluations where nobody has marked a move, and is nothing where nothing is noted", async () => {
    const noted = notedIn(await load("1. f3 {[%eval 0.0]} e5 {[%eval 3.0]} *"));
    expect(noted?.mistakes.map(({ ply, mark }) => [ply, mark])).toEqual([[2, "??"]]);
    expect(notedIn(await load("1. f3 {a comment} e5! 2. g4 Qh4# 0-1"))).toBeNull();
  });
});

test("a game of this site is named by its address, or as the server writes it", () => {
  const at = (Site: string) => gameNamedBy({ Site }, "https://chess.example");
  expect([at(`https://chess.example/${GAME}`), at(`zeitnot/${GAME}`)]).toEqual([GAME, GAME]);
  expect([at(`https://lichess.org/${GAME}`), at("https://chess.example/me"), at("Paris"), at("")]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
