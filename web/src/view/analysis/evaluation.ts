/**
 * What the computer thinks of the positions of a finished game: of each one that was looked at for a moment.
 *
 * The server's allowance is small, so no position is evaluated that nobody has looked at.
 */
import { useEffect, useState } from "preact/hooks";
import type { Evaluation, GameId } from "#protocol";
import { askEvaluation } from "../../net/analysis";
import { waitOf } from "../../net/ask";

const LOOKED_AT_MS = 500;

/** By ply. */
export type Evaluations = Readonly<Record<number, Evaluation>>;

export function useEvaluations(game: GameId | null, ply: number | null): Evaluations {
  const [known, set] = useState<Evaluations>({});
  useEffect(() => {
    if (game === null || ply === null || known[ply]) return;
    let timer: ReturnType<typeof setTimeout>;
    let isCurrent = true;
    const ask = async (): Promise<void> => {
      const answer = await askEvaluation(game, ply);
      if (answer.kind === "there") set((old) => ({ ...old, [ply]: answer.value }));
      else if (answer.kind !== "rejected" && isCurrent) timer = setTimeout(() => void ask(), waitOf(answer));
    };
    timer = setTimeout(() => void ask(), LOOKED_AT_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [game, ply]);
  return known;
}
