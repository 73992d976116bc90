/** The trees of finished games that a tab keeps: the last ones, whole, in storages that are not trusted. */
import { expect, test } from "vitest";
import { TREES_KEPT, keepTree, loadTree } from "../src/net/keptTrees";
import { analysisOf, withKept, withMove, withShown } from "../src/state/analysis/analysis";
import { type Tree, withLine } from "../src/state/analysis/tree";
import { fromSnapshot } from "zeitnot-client";
import { AT, snapshot } from "./scene";
import { storage } from "./storage";

const treeOf = (...moves: readonly string[]): Tree =>
  withLine(
    [],
    moves.map((uci) => ({ uci, san: uci })),
  );

test("a tree is given again with its side lines, and is no longer there once there is nothing beside the game", () => {
  const kept = storage();
  const own = withLine(treeOf("e2e4", "e7e5"), [{ uci: "e2e4" }, { uci: "c7c5", isHelp: true }], true);
  keepTree(kept, "one", own);
  keepTree(kept, "two", treeOf("d2d4"));
  expect(loadTree(kept, "one")).toEqual(own);
  keepTree(kept, "one", null);
  expect([loadTree(kept, "one"), loadTree(kept, "two")]).toEqual([null, treeOf("d2d4")]);
});

test("the last ones are kept, and of a full storage fewer", () => {
  const kept = storage();
  for (let at = 0; at <= TREES_KEPT; at += 1) keepTree(kept, `game ${at}`, treeOf("e2e4"));
  expect([loadTree(kept, "game 0"), loadTree(kept, "game 1")]).toEqual([null, treeOf("e2e4")]);
  const small = storage({ room: 120 });
  keepTree(small, "one", treeOf("e2e4"));
  keepTree(small, "two", treeOf("d2d4"));
  expect([loadTree(small, "one"), loadTree(small, "two")]).toEqual([null, treeOf("d2d4")]);
});

test("a tree that is too long is not kept, and what is no tree is left out", () => {
  const kept = storage();
  const many = Array.from({ length: 4_000 }, (_, at) => ({ uci: "e2e4", san: String(at), isShown: false, next: [] }));
  keepTree(kept, "long", many);
  expect(loadTree(kept, "long")).toBeNull();
  const node = { uci: "e2e4", san: "e4", isShown: false, next: [] };
  const foreign = [null, { game: "a", tree: {} }, { game: "b", tree: [{ ...node, uci: "e2e9" }] }];
  const stored = storage({
    room: 0,
    stored: { "zeitnot.trees": JSON.stringify([...foreign, { game: "c", tree: [node] }]) },
  });
  expect(["a", "b", "c"].map((game) => loadTree(stored, game))).toEqual([null, null, [node]]);
});

test("a game has its tree again only if that holds the whole game", () => {
  const plies = ["e2e4", "e7e5"].map((uci, at) => {
    return { ply: at + 1, uci, san: uci, white_ms: 0, black_ms: 0, took: 0, credit: 0 };
  });
  const outcome = { score: "1-0", reason: "resignation" } as const;
  const game = fromSnapshot(snapshot({ plies, ply_count: 2, state: { phase: "ended", outcome } }), AT);
  const begun = analysisOf(game, 1);
  const { tree } = withShown(withMove(begun, "c7c5"), ["e2e4"], [{ uci: "e7e6", san: "e6" }]);
  expect(withKept(begun, tree)).toEqual({ ...begun, tree });
  expect([withKept(begun, treeOf("e2e4")), withKept(begun, null)]).toEqual([begun, begun]);
});
