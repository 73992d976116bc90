/**
 * How many games were won, lost and drawn, of what the server counts for each side.
 *
 * Pure. A sum is as certain as what it is made of: "1,000 or more" and 3 are "1,003 or more".
 */
import type { GameCount, GameCounts } from "#protocol";
import type { Color } from "../chess/square";

export interface GameTally {
  readonly games: GameCount;
  readonly won: GameCount;
  readonly lost: GameCount;
  readonly drawn: GameCount;
  readonly others: GameCount;
  readonly isIndexing: boolean;
}

export interface CountsOfSide {
  readonly color: Color;
  readonly counts: GameCounts;
}

export function tallyOf(sides: readonly CountsOfSide[]): GameTally {
  const sum = (of: (side: CountsOfSide) => GameCount): GameCount => sides.map(of).reduce(plus, 0);
  return {
    games: sum(({ counts }) => counts.games),
    won: sum(({ color, counts }) => (color === "white" ? counts.white_wins : counts.black_wins)),
    lost: sum(({ color, counts }) => (color === "white" ? counts.black_wins : counts.white_wins)),
    drawn: sum(({ counts }) => counts.draws),
    others: sum(({ counts }) => counts.others),
    isIndexing: sides.some(({ counts }) => counts.indexing === true),
  };
}

/** Without the games that have no result. */
export function decided(tally: GameTally): GameTally {
  return { ...tally, games: [tally.won, tally.drawn, tally.lost].reduce(plus), others: 0 };
}

/** How many games have a result: as many as a list of them says. */
export const decidedOf = ({ white_wins, draws, black_wins }: GameCounts): GameCount =>
  [white_wins, draws, black_wins].reduce(plus);

function plus(a: GameCount, b: GameCount): GameCount {
  if (typeof a === "number" && typeof b === "number") return a + b;
  return { at_least: leastOf(a) + leastOf(b) };
}

/** As many as were counted. */
export const leastOf = (count: GameCount): number => (typeof count === "number" ? count : count.at_least);
