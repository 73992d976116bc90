/**
 * Evaluates the positions of a finished game one after the other, from the last one on, until all are known or somebody stops
 * it: the server's search of each then knows how the game went on. The position that is shown goes before all others, one of a
 * line that leaves the game too: somebody waits for it. One of the game has its turn all the same.
 *
 * It asks for one at a time, and no faster than half of the server's allowance lasts: the other half is for whoever steps
 * through the game meanwhile. When the server says "later", it waits and asks again.
 */
import type { Evaluation } from "#protocol";
import { type Place, keyOf } from "../state/analysis/analysis";
import { type Answer, waitOf } from "./ask";

/** An evaluation costs 100, and a minute has 6,000: half of that is spent at once, */
export const AT_ONCE = 30;
/** and then no more than comes back, with a sixth to spare. */
export const THEN_EACH_MS = 1_200;

export interface WholeGame {
  /** In the order in which they are asked for: each one after the one that follows it. */
  readonly plies: readonly number[];
  /** The position that is shown; null while that is known. */
  shown(): Place | null;
  ask(place: Place): Promise<Answer<Evaluation>>;
  /** `isInTurn`: the search knew what follows. */
  found(place: Place, evaluation: Evaluation, isInTurn: boolean): void;
  /** The server does not evaluate this position of a line that leaves the game. */
  rejected(place: Place, code: string): void;
  /** Resolves after so many ms, or when it was stopped. */
  pause(ms: number): Promise<void>;
  isStopped(): boolean;
}

/** How it ended: all are known, it was stopped, or the server does not evaluate this game. */
export async function evaluateAll({ plies, shown, ask, found, rejected, pause, isStopped }: WholeGame) {
  const left = [...plies];
  const answered = new Set<string>();
  const first = (): Place | null => {
    const place = shown();
    return place === null || answered.has(keyOf(place)) || isNext(place) ? null : place;
  };
  const isNext = ({ ply, moves }: Place): boolean => ply === left[0] && moves.length === 0;
  for (let asked = 0; left.length > 0 || first() !== null; ) {
    if (asked >= AT_ONCE && first() === null) await pause(THEN_EACH_MS);
    if (isStopped()) return "stopped";
    const place = first() ?? { ply: left[0] ?? 0, moves: [] };
    asked += 1;
    const answer = await ask(place);
    if (answer.kind === "later" || answer.kind === "failed") {
      await pause(waitOf(answer));
      continue;
    }
    answered.add(keyOf(place));
    const isInTurn = isNext(place);
    if (isInTurn) left.shift();
    // What was under way when it was stopped is known all the same.
    if (answer.kind === "there") found(place, answer.value, isInTurn);
    else if (place.moves.length === 0) return "rejected";
    else rejected(place, answer.code);
  }
  return "done";
}
