/**
 * The analysis that a page shows: the tree of its moves, the position at which one is, and what changes either. Kept while the
 * page is open, and what was made of a finished game over a reload.
 *
 * What is legal, and what a move is called, are the server's answers. Nothing is evaluated here: that is findings.ts.
 */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { OutcomeView, PositionAnalysis } from "#protocol";
import type { Game } from "zeitnot-client";
import { type Position, readFen } from "../../chess/position";
import { keepTree, loadTree } from "../../net/keptTrees";
import {
  type Analysis,
  isNoMoveLeft,
  positionsOn,
  withKept,
  withMove,
  withPromotion,
  withShown,
  withoutMove,
} from "../../state/analysis/analysis";
import { type NewMove, type Path, nodesOn, sizeOf, withNames } from "../../state/analysis/tree";
import { useStore, useText } from "../context";
import { showBoard } from "./intoSight";
import type { MadeMove } from "./MoveNow";
import { type Facts, nameLine, usePosition } from "./position";

export interface OpenAnalysis extends Facts {
  readonly analysis: Analysis;
  /** The one shown. */
  readonly position: Position;
  /** The move that led there; null at the first position. */
  readonly made: MadeMove | null;
  /** The end of the game there, after which nothing can be played or asked; null in every other position. */
  readonly over: OutcomeView | null;
  go(to: Path): void;
  play(uci: string): void;
  /** A line from the position shown, or from another one, which is gone back to; so many of its moves are played. */
  add(moves: readonly NewMove[], plays?: number, after?: Path): Promise<void>;
  promote(): void;
  remove(): void;
}

export function useAnalysis(game: Game | null, begun: Analysis): OpenAnalysis {
  const store = useStore();
  const { canMate } = useText().analysis;
  const [analysis, set] = useState(() => (game ? withKept(begun, loadTree(sessionStorage, game.id)) : begun));
  const { start, chess960, path, tree } = analysis;
  const { facts, trouble } = usePosition({ start, chess960, moves: path });
  useEffect(() => {
    if (game) keepTree(sessionStorage, game.id, sizeOf(tree) > game.plies.length ? tree : null);
  }, [tree]);
  useEffect(() => {
    if (facts) set((old) => ({ ...old, tree: withNames(old.tree, facts.moves) }));
  }, [facts]);
  const add = async (moves: readonly NewMove[], plays = 1, after = path): Promise<void> => {
    const named = await nameLine({ start, chess960, moves: after }, moves);
    const from = (old: Analysis): Analysis => (after === path ? old : { ...old, path: after });
    set((old) => (old.start === start ? withShown(from(old), after, named, plays) : old));
    showBoard();
    store.say(canMate.shown(moves.length));
  };
  // The same ones at each render: what is begun on the board is of one of them.
  const positions = useMemo(() => positionsOn({ start, path }), [start, path]);
  const node = nodesOn(tree, path).at(-1);
  const before = positions.at(-2);
  return {
    analysis,
    position: positions.at(-1) ?? readFen(start),
    made: node && before ? { node, before } : null,
    facts,
    trouble,
    over: endIn(facts),
    go: (to) => set((old) => ({ ...old, path: to })),
    play: (uci) => set((old) => withMove(old, uci)),
    add,
    promote: () => set(withPromotion),
    remove: () => set(withoutMove),
  };
}

function endIn(facts: PositionAnalysis | null): OutcomeView | null {
  const outcome = facts?.outcome;
  return outcome && isNoMoveLeft(outcome) ? outcome : null;
}
