/**
 * Evaluates the positions of a finished game one after the other, in order, until all are known or somebody stops it.
 *
 * It asks for one at a time, and no faster than half of the server's allowance lasts: the other half is for whoever steps
 * through the game meanwhile. When the server says "later", it waits and asks again.
 */
import type { Evaluation } from "#protocol";
import { type Answer, waitOf } from "./ask";

/** An evaluation costs 100, and a minute has 6,000: half of that is spent at once, */
export const AT_ONCE = 30;
/** and then no more than comes back, with a sixth to spare. */
export const THEN_EACH_MS = 1_200;

export interface WholeGame {
  readonly plies: readonly number[];
  ask(ply: number): Promise<Answer<Evaluation>>;
  found(ply: number, evaluation: Evaluation): void;
  /** Resolves after so many ms, or when it was stopped. */
  pause(ms: number): Promise<void>;
  isStopped(): boolean;
}

/** How it ended: all are known, it was stopped, or the server does not evaluate this game. */
export async function evaluateAll({ plies, ask, found, pause, isStopped }: WholeGame) {
  let asked = 0;
  for (const ply of plies) {
    for (;;) {
      if (asked >= AT_ONCE) await pause(THEN_EACH_MS);
      if (isStopped()) return "stopped";
      asked += 1;
      const answer = await ask(ply);
      // What was under way when it was stopped is known all the same.
      if (answer.kind === "there") {
        found(ply, answer.value);
        break;
      }
      if (answer.kind === "rejected") return "rejected";
      await pause(waitOf(answer));
    }
  }
  return "done";
}
