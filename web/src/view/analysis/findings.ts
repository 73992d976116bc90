/**
 * What is known of an analysis beyond the rules: what its positions are worth, as the computer or a PGN says, the best lines,
 * and the mistakes of its game.
 *
 * Asks through evaluation.ts and bestLines.ts; which move is a mistake, state/analysis/mistakes.ts says. Where a PGN brings its
 * own evaluations, nothing is asked until somebody wants the server's.
 */
import { useMemo, useState } from "preact/hooks";
import type { Evaluation } from "#protocol";
import type { Game } from "zeitnot-client";
import type { PgnNote } from "../../chess/pgn";
import { type Analysis, placeOf } from "../../state/analysis/analysis";
import { deepened } from "../../state/analysis/bestLines";
import { type Subject, broughtIn, subjectOf } from "../../state/analysis/evaluable";
import {
  type Evaluations,
  type Mark,
  type MarkedMove,
  mistakeFrom,
  mistakesIn,
  worstOf,
} from "../../state/analysis/mistakes";
import { notesOf } from "../../state/analysis/notes";
import { type GameMoves, played, tookByPlace } from "../../state/analysis/times";
import type { Path } from "../../state/analysis/tree";
import { type ShownLines, useBestLines } from "./bestLines";
import { type Evaluated, useEvaluations } from "./evaluation";
import { useCharted } from "./WholeGame";

export interface Findings extends Subject, OnTree {
  readonly evaluated: Evaluated;
  readonly best: ShownLines;
  /** Of the game's positions, by ply. */
  readonly known: Evaluations;
  /** Of the position shown; undefined until it is known. */
  readonly now: Evaluation | undefined;
  readonly mistakes: readonly MarkedMove[];
  /** The move that led to the position shown, if it was one of them. */
  readonly marked: MarkedMove | null;
  /** The one that cost most; null until all are known, or without one. */
  readonly worst: MarkedMove | null;
  /** The ply of the game that is shown; null beside the game and without one. */
  readonly ply: number | null;
  /** The ply at which the game was left, or the one shown. */
  readonly from: number;
  /** Whether all is known that there is to know of the game. */
  readonly isWhole: boolean;
  /** Whether the whole game is analysed, and not all is known yet. */
  readonly isRunning: boolean;
  readonly isCharted: boolean;
  /** Whether what positions are worth is or will be known. */
  readonly hasWorth: boolean;
  /** Whether that or marks of moves are. */
  readonly hasEvaluation: boolean;
  readonly hasMistakes: boolean;
  /** Whether the server is asked of a game whose PGN brings its own evaluations. */
  readonly isAnew: boolean;
  /** Asks the server in the place of what a PGN brings; null where there is no such choice. */
  readonly analyseAnew: (() => void) | null;
  /** The way to the next mistake, or to the one before; null without one. */
  mistakeAt(by: 1 | -1): number | null;
}

/** `isAway`: something else stands in the place of the analysis, so that nothing is asked. */
export function useFindings(game: Game | null, begun: Analysis, analysis: Analysis, isAway: boolean): Findings {
  const [isAnew, analyseAnew] = useState(false);
  const subject = useMemo(() => subjectOf(game, begun, isAnew), [game, isAnew]);
  const { moves, noted, evaluable } = subject;
  const plyCount = moves?.plyCount ?? 0;
  const place = placeOf(analysis, moves);
  const ply = place?.moves.length === 0 ? place.ply : null;
  const from = place?.ply ?? 0;
  const seen = isAway ? null : place;
  const evaluated = useEvaluations(evaluable, seen, plyCount);
  const best = useBestLines(evaluable, seen);
  const known = noted?.known ?? evaluated.known;
  const mistakes = useMemo(
    () => noted?.mistakes ?? (evaluable && moves ? mistakesIn(moves, known) : []),
    [noted, moves, known],
  );
  // Until all are known another one may be worse.
  const isWhole = noted !== null || (moves !== null && Object.keys(known).length > plyCount);
  const isCharted = useCharted({ ...evaluated, known }, plyCount, isWhole, analysis.path);
  const hasWorth = evaluable !== null || Object.keys(known).length > 0;
  return {
    ...subject,
    ...useOnTree(game, subject, known, mistakes),
    evaluated,
    best,
    known,
    now: noted && ply !== null ? known[ply] : deepened(evaluated.now, best.lines),
    mistakes,
    marked: mistakes.find((move) => move.ply === ply) ?? null,
    worst: isWhole ? worstOf(mistakes) : null,
    ply,
    from,
    isWhole,
    isRunning: evaluated.whole === "running" && !isWhole,
    isCharted,
    hasWorth,
    hasEvaluation: hasWorth || mistakes.length > 0,
    hasMistakes: evaluable !== null || mistakes.length > 0,
    isAnew,
    analyseAnew: noted && broughtIn(begun) ? () => analyseAnew(true) : null,
    mistakeAt: (by) => mistakeFrom(mistakes, from, by),
  };
}

interface OnTree {
  /** The marks of mistakes, by the moves that lead there. */
  readonly marks: ReadonlyMap<string, Mark>;
  /** The time that a move took, by the same. */
  readonly took: ReadonlyMap<string, number>;
  /** What a PGN says of a move. */
  readonly noteOf: ((path: Path) => PgnNote) | undefined;
}

function useOnTree(
  game: Game | null,
  { moves, evaluable }: Subject,
  known: Evaluations,
  mistakes: readonly MarkedMove[],
): OnTree {
  const marks = useMemo(
    () => new Map(mistakes.map(({ ply, mark }) => [pathAt(moves, ply).join(" "), mark])),
    [moves, mistakes],
  );
  const took = useMemo(() => (moves ? tookByPlace(moves) : new Map<string, number>()), [moves]);
  // The PGN of a game that was brought along has its times already.
  const noteOf = useMemo(
    () => (evaluable && moves ? notesOf(moves, known, mistakes, game ? undefined : []) : undefined),
    [moves, known, mistakes],
  );
  return { marks, took, noteOf };
}

/** Where a ply of the game stands in the tree. */
export const pathAt = (moves: GameMoves | null, ply: number): Path => (moves ? played(moves, ply) : []);
