/**
 * The trees of moves that somebody has made of finished games in this tab, so that a reload gives them again: of the games that
 * were looked at last, so many.
 *
 * What is stored is not trusted: what is no tree is left out. A storage that is full or forbidden keeps fewer, or nothing.
 */
import type { GameId } from "#protocol";
import type { Node, Tree } from "../state/analysis/tree";
import { keepList, keepStored, readList } from "../state/stored";

/** Games whose trees are kept. */
export const TREES_KEPT = 8;
/** The longest text that is kept of a tree, some three thousand moves. */
export const CHARS_MAX = 200_000;

const NAME = "zeitnot.trees";

interface KeptTree {
  readonly game: GameId;
  readonly tree: Tree;
}

/** Keeps the tree of a game in the place of an earlier one; null: it has no moves but the game's. */
export function keepTree(storage: Pick<Storage, "getItem" | "setItem">, game: GameId, tree: Tree | null): void {
  const all = keptTrees(storage);
  if (tree === null && all.every((one) => one.game !== game)) return;
  if (tree !== null && JSON.stringify(tree).length > CHARS_MAX) return;
  const others = all.filter((one) => one.game !== game);
  const wanted = tree === null ? others : [{ game, tree }, ...others].slice(0, TREES_KEPT);
  // An earlier tree of this game would be taken for the new one.
  if (!keepList(storage, NAME, wanted)) keepStored(storage, NAME, []);
}

export function loadTree(storage: Pick<Storage, "getItem">, game: GameId): Tree | null {
  return keptTrees(storage).find((one) => one.game === game)?.tree ?? null;
}

function keptTrees(storage: Pick<Storage, "getItem">): readonly KeptTree[] {
  return readList(storage, NAME, isKept);
}

function isKept(value: unknown): value is KeptTree {
  const { game, tree } = (value ?? {}) as Partial<KeptTree>;
  return typeof game === "string" && isTree(tree);
}

const isTree = (value: unknown): value is Tree => Array.isArray(value) && value.every(isNode);

function isNode(value: unknown): value is Node {
  const { uci, san, isShown, isAdded, isHelp, next } = (value ?? {}) as Partial<Node>;
  return (
    typeof uci === "string" &&
    /^[a-h][1-8][a-h][1-8][qrbn]?$/u.test(uci) &&
    (san === null || typeof san === "string") &&
    typeof isShown === "boolean" &&
    (isAdded === undefined || isAdded) &&
    (isHelp === undefined || isHelp) &&
    isTree(next)
  );
}
