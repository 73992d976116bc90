/** The parts of an analysis below or beside its board, as AnalysisParts.tsx fills them; what is null or false is not there. */
import type { ComponentChildren } from "preact";

export interface Parts {
  /** The buttons that step. */
  readonly steps: ComponentChildren;
  /** To the game, or to the analysis of what was played here. */
  readonly toGame: ComponentChildren;
  /** What the computer thinks of the position, or why nothing is evaluated there. */
  readonly evaluation: ComponentChildren;
  readonly none: ComponentChildren;
  /** One's own last games, in the room of the moves before the first one. */
  readonly own: ComponentChildren;
  /** What is said of the move that led to the position, where there is no room for it below the best lines. */
  readonly foot: ComponentChildren;
  readonly facts: ComponentChildren;
  /** What changes the tree. */
  readonly actions: ComponentChildren;
  readonly typed: ComponentChildren;
  readonly moves: ComponentChildren;
  /** The row of the whole game: its start, or the ways to its mistakes. */
  readonly whole: ComponentChildren;
  readonly learn: ComponentChildren;
  readonly chart: ComponentChildren;
  /** How many mistakes there are. */
  readonly counts: ComponentChildren;
  readonly rule: ComponentChildren;
  readonly times: ComponentChildren;
  readonly explorer: ComponentChildren;
  /** The ways to another analysis. */
  readonly exchange: ComponentChildren;
  readonly canMate: ComponentChildren;
}
