/** A lesson from the mistakes of a game: which moves are right or good enough, what is on the board, and how it goes on. */
import { describe, expect, test } from "vitest";
import type { Evaluation } from "#protocol";
import type { Game } from "zeitnot-client";
import { START_FEN } from "../src/chess/position";
import {
  type Lesson,
  begun,
  hasNext,
  isSolved,
  placeShown,
  taskOf,
  tasksOf,
  withAnswer,
  withBest,
  withFound,
  withNext,
  withRejection,
  withTry,
} from "../src/state/analysis/learn";
import { mistakesIn } from "../src/state/analysis/mistakes";

const MOVES = ["f2f3", "e7e5", "g2g4", "a7a6", "h2h3"];
const GAME = {
  startFen: START_FEN,
  plies: MOVES.map((uci, index) => ({ ply: index + 1, uci, san: uci.slice(2) })),
} as unknown as Game;

const worth = (centipawns: number, best = "d2d4") =>
  ({ centipawns, mate: null, fen: START_FEN, line: [{ uci: best, san: best.slice(2) }] }) as unknown as Evaluation;

/** White's first two moves are mistakes, and Black’s second one. */
const KNOWN = { 0: worth(0), 1: worth(-100), 2: worth(-100), 3: worth(-400, "d8h4"), 4: worth(-100), 5: worth(-120) };
const MISTAKES = mistakesIn(GAME, KNOWN);
const WHITES = tasksOf(GAME, MISTAKES, "white");
const BEGUN = begun(null, "white", WHITES);
const named = (uci: string) => ({ uci, san: uci.slice(2) });

describe("the tasks", () => {
  test("are the marked moves of a side, with what was played and what is best", () => {
    expect(WHITES.map(({ ply, played, best }) => [ply, played.san, best.san])).toEqual([
      [1, "f3", "d4"],
      [3, "g4", "d4"],
    ]);
    expect(tasksOf(GAME, MISTAKES, "black").map(({ ply }) => ply)).toEqual([4]);
  });

  test("leave out a mistake in whose place nothing better is known", () => {
    const [first, ...others] = MISTAKES;
    if (!first) throw new Error("the first move is a mistake");
    const bare = { ...first, before: { ...worth(0), line: [] } };
    expect(tasksOf(GAME, [bare, { ...first, before: null }, ...others], "white").map(({ ply }) => ply)).toEqual([3]);
  });
});

describe("a move that is tried", () => {
  test("is right without a question if the computer would have made it", () => {
    const right = withTry(BEGUN, "d2d4");
    expect([right.step, right.found, isSolved(right)]).toEqual([{ kind: "right" }, 1, true]);
    expect(withTry(right, "e2e4"), "the next move is no try").toBe(right);
  });

  test("is wrong without a question if it is the game's own, and may be followed by another one", () => {
    const wrong = withTry(BEGUN, "f2f3");
    expect([wrong.step, wrong.found]).toEqual([
      { kind: "searching", wrong: { move: expect.objectContaining({ san: "f3" }), after: KNOWN[1] } },
      0,
    ]);
    expect(withTry(wrong, "d2d4").found).toBe(1);
  });

  test("is good enough if it would not be marked as a mistake", () => {
    const asking = withTry(BEGUN, "c2c4");
    expect(asking.step).toEqual({ kind: "asking", uci: "c2c4" });
    const good = withAnswer(asking, GAME, named("c2c4"), worth(-20));
    expect([good.step, good.found]).toEqual([{ kind: "good", move: named("c2c4"), after: worth(-20) }, 1]);
    const wrong = withAnswer(asking, GAME, named("c2c4"), worth(-250));
    expect([wrong.step, wrong.found]).toEqual([
      { kind: "searching", wrong: { move: named("c2c4"), after: worth(-250) } },
      0,
    ]);
  });

  test("is weighed from the side of the one who makes it", () => {
    const black = begun(null, "black", tasksOf(GAME, MISTAKES, "black"));
    const asking = withTry(black, "b8c6");
    expect(withAnswer(asking, GAME, named("b8c6"), worth(-900)).step.kind).toBe("good");
    expect(withAnswer(asking, GAME, named("b8c6"), worth(900)).step.kind).toBe("searching");
  });

  test("counts as not tried where the server does not evaluate it", () => {
    const rejected = withRejection(withTry(BEGUN, "c2c4"), "c2c4", "has_live_games");
    expect(rejected.step).toEqual({ kind: "searching", rejected: "has_live_games" });
  });

  test("is forgotten by whoever goes on: its answer changes nothing", () => {
    const next = withNext(withTry(BEGUN, "c2c4"));
    expect(withAnswer(next, GAME, named("c2c4"), worth(0))).toBe(next);
    expect(withRejection(next, "c2c4", "has_live_games")).toBe(next);
    const other = withTry(BEGUN, "g1f3");
    expect(withAnswer(other, GAME, named("c2c4"), worth(0))).toBe(other);
  });
});

test("the board shows the position before the mistake, and a move until it is taken back", () => {
  const second = withNext(BEGUN);
  const before = ["f2f3", "e7e5"];
  const shown = (lesson: Lesson) => placeShown(GAME, lesson).slice(before.length);
  expect(placeShown(GAME, second)).toEqual(before);
  const asking = withTry(second, "c2c4");
  expect(shown(asking)).toEqual(["c2c4"]);
  expect(shown(withAnswer(asking, GAME, named("c2c4"), worth(-900)))).toEqual([]);
  expect(shown(withAnswer(asking, GAME, named("c2c4"), worth(-100)))).toEqual(["c2c4"]);
  expect(shown(withTry(second, "d2d4"))).toEqual(["d2d4"]);
  expect(shown(withBest(second))).toEqual(["d2d4"]);
});

test("what is shown is not found, and stays found if it was", () => {
  const shown = withBest(BEGUN);
  expect([shown.step, shown.found]).toEqual([{ kind: "shown" }, 0]);
  const right = withTry(BEGUN, "d2d4");
  expect(withBest(right)).toBe(right);
});

test("it goes on from mistake to mistake, and ends after the last one with what was found", () => {
  const second = withNext(withTry(BEGUN, "d2d4"));
  expect([second.at, second.step, taskOf(second).ply]).toEqual([1, { kind: "searching" }, 3]);
  const end = withNext(second);
  expect([end.step, end.found, end.tasks.length]).toEqual([{ kind: "done" }, 1, 2]);
});

test("a lesson that was left goes on; after its end, and for the other side, one begins", () => {
  const second = withNext(BEGUN);
  expect(begun(second, "white", WHITES)).toBe(second);
  expect(begun(withNext(second), "white", WHITES)).toEqual(BEGUN);
  const blacks = tasksOf(GAME, MISTAKES, "black");
  expect(begun(second, "black", blacks)).toMatchObject({ color: "black", at: 0, found: 0, tasks: blacks });
});

describe("while the game is still analysed, from its end on", () => {
  const [first, second] = WHITES;
  if (!first || !second) throw new Error("White has made two mistakes");
  const early = begun(null, "white", [second]);

  test("mistakes that are found follow the others, and nothing else changes", () => {
    const asking = withTry(early, "c2c4");
    const grown = withFound(asking, WHITES);
    expect(grown).toEqual({ ...asking, tasks: [second, first] });
    expect(withFound(grown, WHITES), "none is new").toBe(grown);
    expect(withFound(grown, []), "none goes away").toBe(grown);
    const third = { ...first, ply: 2 };
    expect(withFound(early, [first, third, second]).tasks.map(({ ply }) => ply)).toEqual([3, 2, 1]);
  });

  test("after the last one that is known it goes on with the next one that is found", () => {
    const end = withNext(early);
    expect(end.step.kind).toBe("done");
    const grown = withFound(end, WHITES);
    expect([grown.step.kind, hasNext(grown)]).toEqual(["done", true]);
    expect(withNext(grown)).toMatchObject({ at: 1, step: { kind: "searching" } });
    expect(taskOf(withNext(grown))).toBe(first);
    expect(begun(grown, "white", WHITES), "for whoever had left it too").toEqual(withNext(grown));
  });
});
