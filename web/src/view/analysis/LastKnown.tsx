/**
 * Where no finished game had the position shown: the way back to the last one of its line that some had, with how many they
 * are and the name of its opening. Until both are known there is nothing, and without such a position.
 */
import { useEffect, useMemo, useState } from "preact/hooks";
import { moveNumber, writeFen } from "../../chess/position";
import { askPosition } from "../../net/analysis";
import { type Answer, keepAsking } from "../../net/ask";
import { type LastKnown as Known, findLastKnown } from "../../net/lastKnown";
import { askPlayedMoves } from "../../net/playedMoves";
import { type Analysis, positionsOn } from "../../state/analysis/analysis";
import { nodesOn } from "../../state/analysis/tree";
import { showSan, speakSan } from "../../text/words";
import { showCount } from "../archive/Tally";
import { useText } from "../context";
import type { OpenAnalysis } from "./analysis";

interface Props {
  readonly analysis: Analysis;
  /** For so many plies the place shown is in a game with a result. */
  readonly own: number;
  go: OpenAnalysis["go"];
}

interface Named extends Known {
  /** In English; empty if it has none. */
  readonly opening: string;
}

export function LastKnown({ analysis, own, go }: Props) {
  const text = useText();
  const { explorer } = text.analysis;
  const { start, path, tree } = analysis;
  const positions = useMemo(() => positionsOn({ start, path }), [start, path]);
  const [known, set] = useState<Named | null>(null);
  useEffect(() => {
    set(null);
    const fens = positions.map(writeFen);
    return keepAsking(
      0,
      (left) => findNamed(analysis, fens, own, left),
      (answer) => answer.kind === "there" && set(answer.value),
    );
  }, [positions]);
  const before = positions[(known?.ply ?? 0) - 1];
  const node = nodesOn(tree, path)[(known?.ply ?? 0) - 1];
  if (!known || !before || !node) return null;
  const san = node.san ?? node.uci;
  return (
    <div class="last-known">
      <button
        type="button"
        onClick={({ currentTarget }) => {
          // The button goes with what was empty.
          currentTarget.closest<HTMLElement>(".explored")?.focus({ preventScroll: true });
          go(path.slice(0, known.ply));
        }}
      >
        <span aria-hidden="true">{explorer.lastKnown(`${moveNumber(before)} ${showSan(text, san)}`)}</span>
        <span class="visually-hidden">{explorer.lastKnown(`${moveNumber(before)} ${speakSan(text, san)}`)}</span>
      </button>
      <p class="quiet">
        {text.archive.counts.games(showCount(text, known.games))}
        {known.opening !== "" && (
          <>
            {" · "}
            <span lang="en">{known.opening}</span>
          </>
        )}
      </p>
    </div>
  );
}

async function findNamed(
  { start, chess960, path }: Analysis,
  fens: readonly string[],
  own: number,
  left: AbortSignal,
): Promise<Answer<Named | null>> {
  const found = await findLastKnown(fens, own, (fen) => askPlayedMoves(fen, left));
  if (found.kind !== "there") return found;
  if (found.value === null) return { kind: "there", value: null };
  const facts = await askPosition({ start, chess960, moves: path.slice(0, found.value.ply) });
  // Only the opening's name is missing then.
  const opening = facts.kind === "there" ? (facts.value.opening?.name ?? "") : "";
  return { kind: "there", value: { ...found.value, opening } };
}
