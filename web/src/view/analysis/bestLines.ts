/**
 * The best lines in the positions of a finished game and of lines that leave it, of each one at which somebody stays.
 *
 * The search takes the server a second, so it is asked for only after a while, and given up when the position is left.
 */
import { useEffect, useState } from "preact/hooks";
import type { BestLine, Evaluation, GameId } from "#protocol";
import { askLines } from "../../net/analysis";
import { keepAsking } from "../../net/ask";
import { type Place, keyOf } from "../../state/analysis/analysis";

const STAYED_MS = 1_200;

/** How many lines the server compares. */
export const LINES = 3;

type Known = Readonly<Record<string, readonly BestLine[]>>;

/** The lines of a position; null until they are known. */
export function useBestLines(game: GameId | null, place: Place | null): readonly BestLine[] | null {
  const [{ of, known }, set] = useState<{ readonly of: GameId | null; readonly known: Known }>({ of: game, known: {} });
  const key = place && keyOf(place);
  const lines = (of === game && key !== null && known[key]) || null;
  useEffect(() => {
    if (game === null || place === null || key === null || lines) return;
    return keepAsking(
      STAYED_MS,
      (left) => askLines(game, place, left),
      (answer) => {
        if (answer.kind !== "there") return;
        const found = { [key]: answer.value.lines };
        set((old) => ({ of: game, known: { ...(old.of === game ? old.known : {}), ...found } }));
      },
    );
  }, [game, key]);
  return lines;
}

/** An evaluation with what the longer search found, once that is known. */
export function deepened(
  evaluation: Evaluation | undefined,
  lines: readonly BestLine[] | null,
): Evaluation | undefined {
  const best = lines?.[0];
  if (!evaluation || !best) return evaluation;
  const { centipawns, mate, depth, moves } = best;
  return { ...evaluation, centipawns, mate, depth, line: moves };
}
