/** What is unfolded beside an analysis. It stays so over a lesson, and while one steps to positions without lines yet. */
import { useState } from "preact/hooks";

export interface Folds {
  /** The explorer beside a game. */
  readonly isExplored: boolean;
  explore(isExplored: boolean): void;
  /** The best lines. */
  readonly isUnfolded: boolean;
  unfold(isUnfolded: boolean): void;
}

export function useFolds(): Folds {
  const [isExplored, explore] = useState(false);
  const [isUnfolded, unfold] = useState(false);
  return { isExplored, explore, isUnfolded, unfold };
}
