/**
 * Learning from the mistakes of one side of a game: in the position before each of them one looks for a better move.
 *
 * Pure. A move is right if it is the one that the computer would have made, and good enough if it would not be marked as a
 * mistake itself (`mistakes.ts` has the rule); what it is worth the server says. A move that is neither is taken back at once.
 * With a wrong one goes what the position is worth after it, and the answer to it. What was shown is not found.
 *
 * A lesson may begin while the game is still analysed, from its end on: then it goes backwards too, and mistakes that are found
 * later follow the others. None goes away.
 */
import type { Evaluation } from "#protocol";
import type { Color } from "../../chess/square";
import { type Mark, type MarkedMove, bestInstead, mistakesIn } from "./mistakes";
import { type GameMoves, played } from "./times";
import type { NamedMove, Path } from "./tree";

/** A mistake of the game, and what the computer would have played. */
export interface Task {
  readonly ply: number;
  readonly mark: Mark;
  readonly played: NamedMove;
  readonly best: NamedMove;
  readonly before: Evaluation;
  readonly after: Evaluation | null;
}

/** A move that was tried, and what the position after it is worth, with the answer to it; null if that is not known. */
export interface Tried {
  readonly move: NamedMove;
  readonly after: Evaluation | null;
}

export type Step =
  /** With the move that was tried last, or the code with which the server did not evaluate it. */
  | { readonly kind: "searching"; readonly wrong?: Tried; readonly rejected?: string }
  /** What is this move worth? */
  | { readonly kind: "asking"; readonly uci: string }
  | { readonly kind: "right" }
  | ({ readonly kind: "good" } & Tried)
  | { readonly kind: "shown" }
  /** After the last task that is known. */
  | { readonly kind: "done" };

export interface Lesson {
  readonly color: Color;
  /** At least one. */
  readonly tasks: readonly Task[];
  /** Which of them it is, from 0. */
  readonly at: number;
  readonly found: number;
  readonly step: Step;
}

type Moves = Pick<GameMoves, "startFen" | "plies">;

const SEARCHING: Step = { kind: "searching" };

/** The mistakes of a side in whose place a better move is known. */
export function tasksOf(game: Moves, mistakes: readonly MarkedMove[], color: Color): readonly Task[] {
  return mistakes.flatMap((move) => {
    const { ply, mark, before, after } = move;
    const [played, best] = [game.plies[ply - 1], bestInstead(move)];
    if (move.color !== color || !before || !played || !best) return [];
    return [{ ply, mark, played, best, before, after }];
  });
}

/** A lesson that was left goes on; one of the other side, and one that has ended, begins. */
export function begun(old: Lesson | null, color: Color, tasks: readonly Task[]): Lesson {
  if (old?.color === color && old.step.kind !== "done") return old;
  if (old?.color === color && hasNext(old)) return withNext(old);
  return { color, tasks, at: 0, found: 0, step: SEARCHING };
}

/** With those of all mistakes that are new, the last one of the game first. */
export function withFound(lesson: Lesson, all: readonly Task[]): Lesson {
  const isNew = ({ ply }: Task): boolean => lesson.tasks.every((known) => known.ply !== ply);
  const found = all.filter(isNew).reverse();
  return found.length === 0 ? lesson : { ...lesson, tasks: [...lesson.tasks, ...found] };
}

export const hasNext = ({ tasks, at }: Lesson): boolean => at + 1 < tasks.length;

export const taskOf = ({ tasks, at }: Lesson): Task => tasks[at] as Task;

/** The place on the board: before the mistake, or after the move that was tried or shown. */
export function placeShown(game: Moves, lesson: Lesson): Path {
  const { ply, best } = taskOf(lesson);
  const before = played(game, ply - 1);
  const { step } = lesson;
  if (step.kind === "searching") return before;
  return [...before, step.kind === "asking" ? step.uci : step.kind === "good" ? step.move.uci : best.uci];
}

/** Whether the better move is known by now. */
export const isSolved = ({ step }: Lesson): boolean => step.kind !== "searching" && step.kind !== "asking";

/** Tries a move: about one that is neither the best nor the game's own, the server has to be asked. */
export function withTry(lesson: Lesson, uci: string): Lesson {
  if (lesson.step.kind !== "searching") return lesson;
  const { best, played, after } = taskOf(lesson);
  if (uci === best.uci) return { ...lesson, found: lesson.found + 1, step: { kind: "right" } };
  const wrong = { move: played, after };
  return { ...lesson, step: uci === played.uci ? { kind: "searching", wrong } : { kind: "asking", uci } };
}

/** What the server says of a move; nothing has changed if that is not the one that was tried last. */
export function withAnswer(lesson: Lesson, game: Moves, move: NamedMove, after: Evaluation): Lesson {
  if (!isAskedFor(lesson, move.uci)) return lesson;
  const tried = { move, after };
  if (!isGood(game, taskOf(lesson), move, after)) return { ...lesson, step: { kind: "searching", wrong: tried } };
  return { ...lesson, found: lesson.found + 1, step: { kind: "good", ...tried } };
}

/** The server does not evaluate a move: it counts as not tried. */
export function withRejection(lesson: Lesson, uci: string, rejected: string): Lesson {
  return isAskedFor(lesson, uci) ? { ...lesson, step: { kind: "searching", rejected } } : lesson;
}

const isAskedFor = ({ step }: Lesson, uci: string): boolean => step.kind === "asking" && step.uci === uci;

/** Whether a move in the place of a mistake would not be marked. */
function isGood(game: Moves, { ply, before }: Task, move: NamedMove, after: Evaluation): boolean {
  const plies = game.plies.map((one) => (one.ply === ply ? { ...one, ...move } : one));
  return mistakesIn({ ...game, plies }, { [ply - 1]: before, [ply]: after }).length === 0;
}

export const withBest = (lesson: Lesson): Lesson =>
  isSolved(lesson) ? lesson : { ...lesson, step: { kind: "shown" } };

/** The next task, whether this one is solved or not; after the last one that is known the lesson has ended. */
export function withNext(lesson: Lesson): Lesson {
  return hasNext(lesson) ? { ...lesson, at: lesson.at + 1, step: SEARCHING } : { ...lesson, step: { kind: "done" } };
}
