/** The analysis board's pure parts: PGN in and out, the tree of moves, scores, times, and the addresses of its page. */
import type { Evaluation, OutcomeView } from "#protocol";
import { fromSnapshot } from "zeitnot-client";
import { describe, expect, test } from "vitest";
import {
  type Pgn,
  PGN_CHARS_MAX,
  PGN_LINES_MAX,
  PGN_PLIES_MAX,
  hasMoreGames,
  readPgn,
  writePgn,
} from "../src/chess/pgn";
import { START_FEN } from "../src/chess/position";
import {
  analysisOf,
  analysisOfFen,
  analysisOfPgn,
  lastToPlay,
  fenOf,
  lastOf,
  isChess960,
  looksLikeFen,
  pgnOf,
  placeOf,
  withMove,
  withPromotion,
  withShown,
  withoutMove,
} from "../src/state/analysis/analysis";
import { notesOf } from "../src/state/analysis/notes";
import { shareOf, showWorth, speakWorth } from "../src/state/analysis/worth";
import { barOf, clockAt, clockPath, haveClocksFallen, timesOf, tookByPlace } from "../src/state/analysis/times";
import {
  type NamedLine,
  type NamedMove,
  type Tree,
  canPromote,
  endOf,
  forward,
  isServers,
  linesOf,
  nextOf,
  nodesOn,
  promoted,
  sibling,
  sizeOf,
  treeOf,
  withLine,
  withNames,
  without,
} from "../src/state/analysis/tree";
import { pathOf, routeOf } from "../src/state/route";
import { ENGLISH } from "../src/text";
import { catalogue as GERMAN } from "../src/text/de";
import { AT, GAME, snapshot } from "./scene";

const line = (...moves: string[]): NamedMove[] => moves.map((uci) => ({ uci, san: uci.slice(2) }));
/** 1. e4 e5 (1... c5 2. Nf3) 2. Nf3 as it would be named. */
const TREE: Tree = withLine(withLine([], line("e2e4", "e7e5", "g1f3")), line("e2e4", "c7c5", "b1c3"));
const ok = (text: string): Pgn => {
  const pgn = readPgn(text);
  if ("error" in pgn) throw new Error(pgn.error);
  return pgn;
};

describe("a PGN", () => {
  test("is read with headers, numbers, glyphs, comments, side lines and result", () => {
    const { headers, moves } = ok(`[Event "A \\"game\\""]
[White "Morphy"]

1. e4! {a comment (with a bracket)} 1... e5 $2 ; the rest of the line is a comment ( )
(1... c5 2.Nf3 (2. Nc3) d6) (1... e6) 2. Nf3 Nc6 3.0-0 1-0

[Event "A second game"] 1. d4 *`);
    expect(headers).toEqual({ Event: 'A "game"', White: "Morphy", Result: "1-0" });
    expect(moves.map(({ san }) => san)).toEqual(["e4", "e5", "Nf3", "Nc6", "O-O"]);
    const [first, second] = moves[1]?.variations ?? [];
    expect(first?.map(({ san }) => san)).toEqual(["c5", "Nf3", "d6"]);
    expect(first?.[1]?.variations.map((inner) => inner.map(({ san }) => san))).toEqual([["Nc3"]]);
    expect(second?.map(({ san }) => san)).toEqual(["e6"]);
  });

  test.each([
    ["", "empty"],
    ['[White "Nobody"] *', "empty"],
    ["1. e4 (1. d4", "bracket"],
    ["1. e4 ) e5", "bracket"],
    ["1. e4 {never closed", "bracket"],
    ["(1. d4) 1. e4", "variation"],
    ["x".repeat(PGN_CHARS_MAX + 1), "long"],
    ["e4 ".repeat(PGN_PLIES_MAX + 1), "long"],
    [`1. e4 ${"(1. d4) ".repeat(PGN_LINES_MAX)}`, "long"],
  ])("that is none says why: %.20s", (text, error) => {
    expect(readPgn(text)).toMatchObject({ error });
  });

  test("of several games the first is read, and that there are others is known", () => {
    const one = '[Event "a [Event b]"]\n\n1. e4 {[Event } *\n';
    const two = `${one}\n[Event "c"]\n\n1. d4 *\n`;
    expect([hasMoreGames("1. e4 *"), hasMoreGames(one), hasMoreGames(two)]).toEqual([false, false, true]);
    expect(readPgn(two)).toMatchObject({ moves: [{ san: "e4" }] });
  });

  test("is as long as it may be", () => {
    expect(ok("e4 ".repeat(PGN_PLIES_MAX)).moves.length).toBe(PGN_PLIES_MAX);
    expect(ok(`1. e4 ${"(1. d4) ".repeat(PGN_LINES_MAX - 1)}`).moves[0]?.variations.length).toBe(PGN_LINES_MAX - 1);
  });

  test("with a position and no move is a position", () => {
    expect(ok('[FEN "8/8/8/8/8/5k2/7q/5K2 w - - 0 1"]').headers.FEN).toBe("8/8/8/8/8/5k2/7q/5K2 w - - 0 1");
  });

  test("that was written is read as the same", () => {
    const text = "1. e4 e5 (1... c5 2. Nf3 (2. Nc3) 2... d6) (1... e6) 2. Nf3 Nc6 3. O-O *\n";
    expect(writePgn(ok(text), { number: 1, isBlack: false })).toBe(text);
    const headers = { White: 'A "quoted" name', Result: "1-0" };
    const moves = Array.from({ length: 120 }, () => ({ san: "Qa1xh8+", variations: [] }));
    const long = writePgn({ headers, moves }, { number: 7, isBlack: true });
    expect(long).toContain("\n\n7... Qa1xh8+ 8. Qa1xh8+");
    expect(Math.max(...long.split("\n").map((row) => row.length))).toBeLessThanOrEqual(80);
    expect(ok(long)).toEqual({ headers, moves });
  });

  test("no row ends within a command, and the words of a comment are parted where a row is full", () => {
    const comment = "[%eval -0.35] [%best Nf3] a word [%clk 0:02:59.0] [%emt 0:00:01.3]";
    const moves = Array.from({ length: 30 }, () => ({ san: "Nf3", comment, variations: [] }));
    const written = writePgn({ headers: {}, moves }, { number: 1, isBlack: false });
    const rows = written.trim().split("\n");
    expect(rows.length).toBeGreaterThan(20);
    expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(80);
    for (const row of rows) expect(row.split("[%").length, row).toBe(row.split("]").length);
    expect(ok(written)).toEqual({ headers: {}, moves });
  });
});

describe("a tree of moves", () => {
  test("keeps the main line first, and adds what is new behind it", () => {
    expect(nextOf(TREE, ["e2e4"]).map(({ uci }) => uci)).toEqual(["e7e5", "c7c5"]);
    expect([sizeOf(TREE), nodesOn(TREE, ["e2e4", "d7d5"]).length]).toEqual([5, 1]);
    expect(withLine(TREE, line("e2e4", "c7c5"))).toBe(TREE);
  });

  test("is stepped through, and other choices stand above and below", () => {
    expect(forward(TREE, ["e2e4"])).toEqual(["e2e4", "e7e5"]);
    expect(forward(TREE, ["e2e4", "e7e5", "g1f3"])).toEqual(["e2e4", "e7e5", "g1f3"]);
    expect(sibling(TREE, ["e2e4", "e7e5"], 1)).toEqual(["e2e4", "c7c5"]);
    expect(sibling(TREE, ["e2e4", "e7e5"], -1)).toEqual(["e2e4", "e7e5"]);
    expect(sibling(TREE, ["e2e4", "c7c5"], -1)).toEqual(["e2e4", "e7e5"]);
    expect(sibling(TREE, [], 1)).toEqual([]);
    expect(endOf(TREE, ["e2e4", "c7c5"])).toEqual(["e2e4", "c7c5", "b1c3"]);
  });

  test("a line that is preferred becomes the main one, one that is deleted goes with all that follows", () => {
    const path = ["e2e4", "c7c5", "b1c3"];
    expect([canPromote(TREE, path), canPromote(promoted(TREE, path), path)]).toEqual([true, false]);
    expect(endOf(promoted(TREE, path), [])).toEqual(path);
    expect(promoted(TREE, ["e2e4"])).toBe(TREE);
    expect(nextOf(without(TREE, ["e2e4", "c7c5"]), ["e2e4"]).map(({ uci }) => uci)).toEqual(["e7e5"]);
    expect(without(TREE, ["e2e4"])).toEqual([]);
  });

  test("gets the names that the server gives, and keeps them", () => {
    const unnamed = withLine(TREE, [{ uci: "e2e4" }, { uci: "d7d5" }]);
    expect(nodesOn(unnamed, ["e2e4", "d7d5"]).map(({ san }) => san)).toEqual(["e4", null]);
    expect(nodesOn(withNames(unnamed, line("e2e4", "d7d5")), ["e2e4", "d7d5"])[1]?.san).toBe("d5");
    expect([withNames(TREE, line("e2e4", "e7e5")), withNames(TREE, line("e2e4", "a7a6"))]).toEqual([TREE, TREE]);
  });

  test("becomes PGN with its side lines", () => {
    const moves = linesOf(TREE);
    expect(writePgn({ headers: {}, moves }, { number: 1, isBlack: false })).toBe("1. e4 e5 (1... c5 2. c3) 2. f3 *\n");
  });

  const named = async (moves: readonly string[]): Promise<NamedLine> => {
    const wrong = moves.indexOf("Qxz9");
    return wrong < 0
      ? moves.map((san) => ({ uci: `uci-${san.replace("uci-", "")}`, san: san.replace("uci-", "") }))
      : { ply: wrong + 1 };
  };

  test("is made of a PGN line by line, each asked for once", async () => {
    const asked: (readonly string[])[] = [];
    const tree = await treeOf(ok("1. e4 e5 (1... c5 2. Nf3 (2. Nc3)) 2. d4"), (moves) => {
      asked.push(moves);
      return named(moves);
    });
    expect(asked).toEqual([
      ["e4", "e5", "d4"],
      ["uci-e4", "c5", "Nf3"],
      ["uci-e4", "uci-c5", "Nc3"],
    ]);
    expect(Array.isArray(tree) && writePgn({ headers: {}, moves: linesOf(tree) }, { number: 1, isBlack: false })).toBe(
      "1. e4 e5 (1... c5 2. Nf3 (2. Nc3)) 2. d4 *\n",
    );
  });

  test("says which move of a PGN is at fault, also in a side line", async () => {
    expect(await treeOf(ok("1. e4 e5 2. Qxz9 Nc6"), named)).toEqual({ before: ["uci-e4", "uci-e5"], san: "Qxz9" });
    expect(await treeOf(ok("1. e4 e5 (1... c5 2. Qxz9) 2. d4"), named)).toEqual({
      before: ["uci-e4", "uci-c5"],
      san: "Qxz9",
    });
    expect(await treeOf(ok("1. e4"), async () => ({ failed: true }))).toBe("failed");
  });
});

describe("an analysis", () => {
  const game = fromSnapshot(
    snapshot({
      plies: [
        { ply: 1, uci: "e2e4", san: "e4", white_ms: 179_000, black_ms: 180_000, took: 1_000, credit: 0 },
        { ply: 2, uci: "e7e5", san: "e5", white_ms: 179_000, black_ms: 176_000, took: 4_000, credit: 0 },
        { ply: 3, uci: "g1f3", san: "Nf3", white_ms: 163_000, black_ms: 176_000, took: 16_000, credit: 0 },
      ],
      ply_count: 3,
      state: { phase: "ended", outcome: { score: "1-0", reason: "resignation" } },
    }),
    AT,
  );

  test("shows the clocks of each ply, and at the end those with which the game ended", () => {
    const clocks = { white: 163_000, black: 88_000, running: null, since: 0, stands: 0, isMeasured: true };
    const over = { ...game, clocks };
    expect([0, 1, 2, 3].map((ply) => clockAt(over, "black", ply))).toEqual([180_000, 180_000, 176_000, 88_000]);
    expect([0, 1, 2, 3].map((ply) => clockAt({ ...over, clocks: null }, "white", ply))).toEqual([
      180_000, 179_000, 179_000, 163_000,
    ]);
  });

  test("of a game begins at a ply, and knows when it leaves the game", () => {
    const analysis = analysisOf(game, 1);
    expect([analysis.path, placeOf(analysis, game)]).toEqual([["e2e4"], { ply: 1, moves: [] }]);
    const left = withMove(withMove(analysis, "c7c5"), "g1f3");
    expect(placeOf(left, game)).toEqual({ ply: 1, moves: ["c7c5", "g1f3"] });
    expect([analysisOf(game, null).path.length, analysisOf(game, 99).path.length]).toEqual([3, 3]);
    const ended = (reason: string) => lastToPlay({ plyCount: 3, outcome: { reason } as OutcomeView });
    expect([ended("resignation"), ended("checkmate")], "where something can be played").toEqual([3, 2]);
    expect(placeOf(withMove(analysis, "e7e5"), game)).toEqual({ ply: 2, moves: [] });
    expect(placeOf(analysis, null)).toBe(null);
  });

  test("follows a known move, begins a side line with another one, prefers it, and deletes it", () => {
    const side = withMove(analysisOf(game, 1), "c7c5");
    expect(canPromote(side.tree, side.path)).toBe(true);
    expect(fenOf(side)).toBe("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2");
    expect(canPromote(withPromotion(side).tree, side.path)).toBe(false);
    expect(withoutMove(side)).toEqual(analysisOf(game, 1));
  });

  test("keeps a line that was shown apart: named, behind what is played there, and out of the PGN", () => {
    const end = analysisOf(game, 3);
    const shown = withShown(end, end.path, line("b8c6", "f1b5"));
    expect(shown.path).toEqual(["e2e4", "e7e5", "g1f3", "b8c6"]);
    expect(withShown(end, end.path, line("b8c6", "f1b5"), 2).path).toEqual([...shown.path, "f1b5"]);
    expect(nodesOn(shown.tree, [...shown.path, "f1b5"]).map(({ san, isShown }) => [san, isShown])).toEqual([
      ["e4", false],
      ["e5", false],
      ["Nf3", false],
      ["c6", true],
      ["b5", true],
    ]);
    expect([endOf(shown.tree, []).length, endOf(shown.tree, end.path).length]).toEqual([3, 5]);
    expect(pgnOf(shown)).toBe(pgnOf(end));
    const played = withMove(withMove({ ...shown, path: end.path }, "d7d6"), "d2d4");
    expect(nextOf(played.tree, end.path).map(({ uci }) => uci)).toEqual(["d7d6", "b8c6"]);
    expect([canPromote(played.tree, shown.path), nodesOn(played.tree, played.path).at(-1)?.isShown]).toEqual([
      false,
      false,
    ]);
    expect(nodesOn(withMove(shown, "f1c4").tree, [...shown.path, "f1c4"]).at(-1)?.isShown).toBe(true);
  });

  test("tells the moves of a line that was shown from those that were added to it", () => {
    const end = analysisOf(game, 3);
    const shown = withShown(end, end.path, line("b8c6", "f1b5"));
    const added = withMove(withMove(withMove(shown, "f1b5"), "a7a6"), "b5a4");
    const own = (analysis: typeof shown) => nodesOn(analysis.tree, analysis.path).map(isServers);
    expect(own(added)).toEqual([false, false, false, true, true, false, false]);
    const again = withShown(added, added.path, line("g8f6"));
    expect(own(again)).toEqual([false, false, false, true, true, false, false, true]);
    // Shown as well, an added move stays what it is.
    expect(own(withShown({ ...added, path: shown.path }, shown.path, line("f1b5", "a7a6")))).toEqual(
      own(added).slice(0, 5),
    );
  });

  test("of a game knows where that ends: the last place seen from within it, and not from what is tried out after it", () => {
    const tried = withMove(analysisOf(game, 3), "b8c6");
    const ends = [[], ["e2e4"], analysisOf(game, 3).path].map((path) => lastOf({ ...tried, path }).length);
    expect([tried.played?.length, ends]).toEqual([3, [3, 3, 4]]);
    expect(lastOf({ ...tried, played: null, path: [] }).length).toBe(4);
    const aside = withPromotion(withMove(analysisOf(game, 1), "c7c5"));
    expect(lastOf({ ...aside, path: [] })).toEqual(["e2e4", "c7c5"]);
  });

  test("of a PGN has an end if that has a result", () => {
    const pasted = (result: string) =>
      analysisOfPgn(ok(`1. e4 e5 ${result}`), withLine([], line("e2e4", "e7e5"))).played;
    expect([pasted("1/2-1/2"), pasted("*")]).toEqual([["e2e4", "e7e5"], null]);
  });

  test("a line that is shown late does not move the board from where it is by then", () => {
    const at = analysisOf(game, 1);
    expect(withShown(at, ["e2e4", "e7e5"], line("d2d4")).path).toEqual(["e2e4"]);
    expect(withShown(at, ["d2d4"], line("d7d5"))).toBe(at);
  });

  test("is written as PGN with its position", () => {
    expect(pgnOf(analysisOf(game, 0))).toBe(
      '[White "Guest-W"]\n[Black "Guest-B"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n',
    );
    const fen = "8/8/8/8/8/5k2/7q/5K2 b - - 0 9";
    const own = withMove(analysisOfFen(fen), "h2f2");
    expect(pgnOf(own)).toBe(`[SetUp "1"]\n[FEN "${fen}"]\n\n9... h2f2 *\n`);
    expect(analysisOfPgn(ok(pgnOf(own)), own.tree).start).toBe(fen);
  });

  test("what is tried out after a game's end, or preferred to it, leaves its moves and its result as they were", async () => {
    const text = (pgn: string) => pgn.split("\n\n")[1]?.trim();
    const resigned = analysisOf(game, 3);
    const tried = withMove(withMove(resigned, "b8c6"), "f1b5");
    const both = withMove({ ...tried, path: [...resigned.path, "b8c6"] }, "f1c4");
    expect(text(pgnOf(both))).toBe("1. e4 e5 2. Nf3 (2. Nf3 b8c6 3. f1b5 (3. f1c4)) 1-0");
    const pgn = ok(pgnOf(both));
    expect(pgn.moves.map(({ san }) => san)).toEqual(["e4", "e5", "Nf3"]);
    // It is read as it was written, and the game ends where it did.
    const uci = [...resigned.path, "b8c6"];
    const tree = await treeOf(pgn, async (moves) =>
      moves.map((san, at) => ({ uci: at < uci.length ? (uci[at] ?? "") : san, san })),
    );
    if (!Array.isArray(tree)) throw new Error("not read");
    const again = analysisOfPgn(pgn, tree);
    expect([again.played, nodesOn(again.tree, uci).length]).toEqual([resigned.path, 4]);
    const preferred = withPromotion(withMove(analysisOf(game, 1), "c7c5"));
    expect(text(pgnOf(preferred))).toBe("1. e4 e5 (1... c7c5) 2. Nf3 1-0");
  });

  test("is written with clocks, evaluations and marks of the game's own moves, and can be read again", () => {
    const worth = (centipawns: number | null, mate: number | null = null) => ({ centipawns, mate, line: [] }) as never;
    const known = { 0: worth(20), 1: worth(-35), 2: worth(null, -3) };
    const mistakes = [{ ply: 1, color: "white", mark: "?" }] as const;
    const beside = withMove(withMove({ ...analysisOf(game, 1) }, "c7c5"), "g1f3");
    const pgn = pgnOf(beside, notesOf(game, known, mistakes));
    expect(pgn.replace(/\s+/gu, " ")).toContain(
      "1. e4 $2 {[%eval -0.35] [%clk 0:02:59.0] [%emt 0:00:01.0]} 1... e5 {[%eval #-3] [%clk 0:02:56.0] [%emt 0:00:04.0]} (1... c7c5 2. g1f3) 2. Nf3 {[%clk 0:02:43.0] [%emt 0:00:16.0]} 1-0",
    );
    expect(ok(pgn).moves.map(({ san, glyph }) => [san, glyph])).toEqual([
      ["e4", "$2"],
      ["e5", undefined],
      ["Nf3", undefined],
    ]);
  });

  test("knows what each move of its game took, by its place", () => {
    const took = tookByPlace(game);
    expect([took.get("e2e4"), took.get("e2e4 e7e5"), took.get("e2e4 c7c5")]).toEqual([1_000, 4_000, undefined]);
  });

  test("knows a FEN from a PGN, and Chess960 from standard chess", () => {
    expect([looksLikeFen(` ${START_FEN}`), looksLikeFen("1. e4"), looksLikeFen("8/8/8/8/8/8/8/K1k5")]).toEqual([
      true,
      false,
      true,
    ]);
    expect([isChess960(START_FEN), isChess960("bqnrkrnb/8/8/8/8/8/8/BQNRKRNB w DFdf - 0 1")]).toEqual([false, true]);
  });

  test("has the times of its game, whoever moved first", () => {
    const times = timesOf(game);
    expect(times.map(({ color, took, clock }) => [color, took, clock])).toEqual([
      ["white", 1_000, 179_000],
      ["black", 4_000, 176_000],
      ["white", 16_000, 163_000],
    ]);
    expect([barOf(16_000, 16_000), barOf(4_000, 16_000), barOf(0, 0)]).toEqual([30, 15, 0]);
    expect(clockPath(game, times, "black")).toBe("M0 60.0L1.5 59.3");
    expect(clockPath({ ...game, control: { kind: "unlimited" } }, times, "white")).toBe("");
  });

  test("has its clocks as lines where they fell by a quarter", () => {
    const fallen = (...clocks: readonly (number | null)[]) =>
      haveClocksFallen(
        game,
        timesOf(game).map((time, at) => ({ ...time, clock: clocks[at] ?? null })),
      );
    expect([fallen(179_000, 176_000, 163_000), fallen(179_000, 176_000, 135_000), fallen()]).toEqual([
      false,
      true,
      false,
    ]);
    expect(fallen(200_000, 150_000), "from the most that a clock had").toBe(true);
    expect(haveClocksFallen({ ...game, control: { kind: "unlimited" } }, [])).toBe(false);
  });
});

describe("a score", () => {
  const evaluation = (centipawns: number | null, mate: number | null = null, fen = START_FEN): Evaluation => ({
    game: GAME,
    ply: 0,
    fen,
    centipawns,
    mate,
    depth: 8,
    line: [],
  });

  test("is written and read out for White", () => {
    const all = [0, 4, 36, -120, 2_500].map((centipawns) => evaluation(centipawns));
    const mates = [3, -2, 0].map((mate) => evaluation(null, mate));
    expect([...all, ...mates].map((one) => showWorth(ENGLISH, one))).toEqual([
      "0.0",
      "0.0",
      "+0.4",
      "−1.2",
      "+25.0",
      "#3",
      "#−2",
      "#",
    ]);
    expect([...all.slice(1), ...mates].map((one) => speakWorth(ENGLISH, one))).toEqual([
      "Even",
      "White is better by 0.4",
      "Black is better by 1.2",
      "White is better by 25.0",
      "White mates in 3",
      "Black mates in 2",
      "Checkmate",
    ]);
    expect(showWorth(GERMAN, evaluation(-120))).toBe("−1,2");
  });

  test("fills the bar: half when even, all of it for who mates", () => {
    const shares = [0, 300, -300].map((centipawns) => shareOf(evaluation(centipawns)));
    expect(shares.map((share) => share.toFixed(2))).toEqual(["0.50", "0.75", "0.25"]);
    expect([3, -2].map((mate) => shareOf(evaluation(null, mate)))).toEqual([1, 0]);
    expect(shareOf(evaluation(null, 0, "7k/6Q1/5K2/8/8/8/8/8 b - - 0 1"))).toBe(1);
  });
});

describe("the address of an analysis", () => {
  test.each([
    "/analysis",
    `/analysis/${GAME}`,
    `/analysis/${GAME}?ply=12`,
    `/analysis?fen=${encodeURIComponent(START_FEN)}`,
    "/analysis?pgn=3",
    "/analysis?pgn=3&bottom=black",
  ])("%s leads there and back", (address) => {
    const [path = "", query] = address.split("?");
    const route = routeOf(path, query);
    expect([route.at, pathOf(route)]).toEqual(["analysis", address]);
  });

  test("takes no ply that is none", () => {
    expect(routeOf(`/analysis/${GAME}`, "ply=-1&fen=x")).toEqual({ at: "analysis", game: GAME, ply: null, fen: null });
    expect(routeOf("/analysis/short").at).toBe("lost");
  });
});
