/** What the rules say of the position shown. Asked for when it has been looked at for a moment, and kept. */
import { useEffect, useState } from "preact/hooks";
import type { PositionAnalysis } from "#protocol";
import { type Line, askPosition, knownPosition } from "../../net/analysis";
import { type Answer, keepAsking } from "../../net/ask";
import type { NewMove } from "../../state/analysis/tree";

/** Whoever steps quickly through a game asks only about the position where they stop. */
const LOOKED_AT_MS = 120;

/** Why there is no answer, or none yet. */
export type Trouble = Exclude<Answer<PositionAnalysis>, { readonly kind: "there" }>;

export interface Facts {
  readonly facts: PositionAnalysis | null;
  readonly trouble: Trouble | null;
}

/** A line with its moves named, which stay as they are else. Without an answer it stays as it is: each move is named when it is looked at. */
export async function nameLine(from: Line, moves: readonly NewMove[]): Promise<readonly NewMove[]> {
  if (moves.every((move) => "san" in move)) return moves;
  const answer = await askPosition({ ...from, moves: [...from.moves, ...moves.map(({ uci }) => uci)] });
  if (answer.kind !== "there") return moves;
  return answer.value.moves.slice(from.moves.length).map((named, at) => ({ ...moves[at], ...named }));
}

export function usePosition(line: Line): Facts {
  const key = `${line.chess960} ${line.start} ${line.moves.join(" ")}`;
  const [answer, set] = useState<{ readonly key: string } & Facts>({ key: "", facts: null, trouble: null });
  useEffect(() => {
    const afterMs = knownPosition(line) ? 0 : LOOKED_AT_MS;
    return keepAsking(
      afterMs,
      () => askPosition(line),
      (answer) =>
        set(
          answer.kind === "there" ? { key, facts: answer.value, trouble: null } : { key, facts: null, trouble: answer },
        ),
    );
  }, [key]);
  const known = knownPosition(line);
  if (known) return { facts: known, trouble: null };
  return answer.key === key ? answer : { facts: null, trouble: null };
}
