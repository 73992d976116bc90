/**
 * Evaluates the positions of a finished game one after the other, from the last one on, until all are known or somebody stops
 * it: the server's search of each then knows how the game went on. The position that is shown goes before all others, one of a
 * line that leaves the game too: somebody waits for it. One of the game has its turn all the same.
 *
 * Of a long game a few positions are asked for first, spread over it, so that a chart has its shape early. Nothing else is
 * told by them: their searches do not know how the game went on, so each has its turn again.
 *
 * It asks for one at a time, and no faster than half of the server's allowance lasts: the other half is for whoever steps
 * through the game meanwhile. When the server says "later", it waits and asks again.
 */
import type { Evaluation } from "#protocol";
import { type Place, keyOf } from "../state/analysis/analysis";
import { type Answer, waitOf } from "./ask";

/** An evaluation costs 100, and a minute has 6,000: half of that is spent at once, */
export const AT_ONCE = 30;
/** and then no more than comes back, with a tenth to spare. The time that an answer takes is part of it. */
export const THEN_EACH_MS = 1_100;

export interface WholeGame {
  /** In the order in which they are asked for: each one after the one that follows it. */
  readonly plies: readonly number[];
  /** What is asked for before them, for the shape of a chart. */
  readonly sketch: readonly number[];
  /** The position that is shown; null while that is known. */
  shown(): Place | null;
  ask(place: Place): Promise<Answer<Evaluation>>;
  /** `isInTurn`: the search knew what follows. */
  found(place: Place, evaluation: Evaluation, isInTurn: boolean): void;
  /** One that is good for the shape of a chart alone. */
  sketched(ply: number, evaluation: Evaluation): void;
  /** The server does not evaluate this position: if it is one of the game, that ends the analysis. */
  rejected(place: Place, code: string): void;
  /** Resolves after so many ms, or when it was stopped. */
  pause(ms: number): Promise<void>;
  /** In ms, from any instant on. */
  now(): number;
  isStopped(): boolean;
}

/** How it ended: all are known, it was stopped, or the server does not evaluate this game. */
export async function evaluateAll(game: WholeGame): Promise<"done" | "stopped" | "rejected"> {
  const { plies, sketch, shown, ask, found, sketched, rejected, pause, now, isStopped } = game;
  const left = [...plies];
  const answered = new Set<string>();
  const first = (): Place | null => {
    const place = shown();
    return place === null || answered.has(keyOf(place)) || isNext(place) ? null : place;
  };
  const outlined = (): number | undefined => sketch.find((ply) => !answered.has(keyOf({ ply, moves: [] })));
  const isNext = ({ ply, moves }: Place): boolean => ply === (outlined() ?? left[0]) && moves.length === 0;
  for (let due = -Infinity; left.length > 0 || first() !== null; ) {
    due = Math.max(due, now() - AT_ONCE * THEN_EACH_MS) + THEN_EACH_MS;
    // Whatever is shown by then waits no longer than that.
    while (due > now() && first() === null && !isStopped()) await pause(Math.min(THEN_EACH_MS, due - now()));
    if (isStopped()) return "stopped";
    const place = first() ?? { ply: outlined() ?? left[0] ?? 0, moves: [] };
    const isSketched = isNext(place) && place.ply === outlined();
    const isInTurn = isNext(place) && !isSketched;
    const answer = await ask(place);
    if (answer.kind === "later" || answer.kind === "failed") {
      await pause(waitOf(answer));
      continue;
    }
    answered.add(keyOf(place));
    if (isInTurn) left.shift();
    // What was under way when it was stopped is known all the same.
    if (answer.kind === "there" && isSketched) sketched(place.ply, answer.value);
    else if (answer.kind === "there") found(place, answer.value, isInTurn);
    else {
      rejected(place, answer.code);
      if (place.moves.length === 0) return "rejected";
    }
  }
  return "done";
}
