/**
 * The lesson of an analysis: it is kept while the page is open, so that whoever leaves it for the analysis comes back to the
 * same mistake. Asks the server about moves that are tried.
 */
import { useEffect, useState } from "preact/hooks";
import type { Color } from "../../chess/square";
import { type Line, askEvaluation } from "../../net/analysis";
import { keepAsking } from "../../net/ask";
import {
  type Lesson,
  type Task,
  begun,
  taskOf,
  tasksOf,
  withAnswer,
  withFound,
  withRejection,
} from "../../state/analysis/learn";
import type { Evaluable } from "../../state/analysis/evaluable";
import type { MarkedMove } from "../../state/analysis/mistakes";
import { type GameMoves, played } from "../../state/analysis/times";
import { useStore } from "../context";
import { nameLine } from "./position";

export interface Learning {
  /** Null while the analysis itself is shown. */
  readonly lesson: Lesson | null;
  /** The side of the lesson that was just left, until its button has the focus again. */
  readonly left: Color | null;
  begin(color: Color, tasks: readonly Task[]): void;
  change(by: (lesson: Lesson) => Lesson): void;
  leave(): void;
  /** Says that this button has the focus again. */
  settle(): void;
}

export function useLearning(): Learning {
  const [lesson, set] = useState<Lesson | null>(null);
  const [isOpen, open] = useState(false);
  const [left, setLeft] = useState<Color | null>(null);
  return {
    lesson: isOpen ? lesson : null,
    left,
    begin: (color, tasks) => {
      set((old) => begun(old, color, tasks));
      open(true);
    },
    change: (by) => set((old) => old && by(old)),
    leave: () => {
      open(false);
      setLeft(lesson?.color ?? null);
    },
    settle: () => setLeft(null),
  };
}

/** Mistakes that are found after a lesson has begun come into it. */
export function useFound({ change }: Learning, moves: GameMoves | null, mistakes: readonly MarkedMove[]): void {
  useEffect(() => {
    if (moves) change((old) => withFound(old, tasksOf(moves, mistakes, old.color)));
  }, [mistakes]);
}

/** The game of a lesson. */
export interface LessonGame {
  readonly of: Evaluable;
  readonly moves: GameMoves;
  readonly chess960: boolean;
}

/** Asks what the move that is tried is worth, until the server has said it or another step has come. */
export function useTries({ of, moves: game, chess960 }: LessonGame, lesson: Lesson, change: Learning["change"]): void {
  const store = useStore();
  const { step } = lesson;
  useEffect(() => {
    if (step.kind !== "asking") return;
    const { uci } = step;
    const ply = taskOf(lesson).ply - 1;
    const line: Line = { start: game.startFen, chess960, moves: played(game, ply) };
    return keepAsking(
      0,
      () => askEvaluation(store, of, { ply, moves: [uci] }),
      async (answer) => {
        if (answer.kind === "rejected") change((old) => withRejection(old, uci, answer.code));
        if (answer.kind !== "there") return;
        const [named] = await nameLine(line, [{ uci }]);
        change((old) => withAnswer(old, game, { san: uci, ...named, uci }, answer.value));
      },
    );
  }, [step]);
}
