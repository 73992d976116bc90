/**
 * The last position of a line that finished games had, found by halves: the further one goes, the fewer games there are. So a
 * long line takes about five requests.
 *
 * A game whose own line this is counts for nothing where it went: that it had its positions says nothing.
 */
import type { GameCount, PlayedMoves } from "#protocol";
import { OPENING_PLIES_MAX } from "../state/gameFilter";
import { decidedOf, leastOf } from "../state/gameTally";
import type { Answer } from "./ask";

export interface LastKnown {
  /** After so many moves of the line; at least one. */
  readonly ply: number;
  readonly games: GameCount;
}

/**
 * `positions`: in FEN, from the first one to one that no game had. `own`: for so many plies the line is that of a game with a result.
 * Null if its first move leads to nothing that is known.
 */
export async function findLastKnown(
  positions: readonly string[],
  own: number,
  ask: (fen: string) => Promise<Answer<PlayedMoves>>,
): Promise<Answer<LastKnown | null>> {
  let last: LastKnown | null = null;
  let [from, to] = [0, Math.min(positions.length - 1, OPENING_PLIES_MAX + 1)];
  while (to - from > 1) {
    const ply = Math.floor((from + to) / 2);
    const answer = await ask(positions[ply] ?? "");
    if (answer.kind !== "there") return answer;
    const games = decidedOf(answer.value.games);
    if (leastOf(games) > (ply <= own ? 1 : 0)) {
      last = { ply, games };
      from = ply;
    } else to = ply;
  }
  return { kind: "there", value: last };
}
