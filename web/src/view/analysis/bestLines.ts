/**
 * The best lines in the positions of a game that is over and of lines that leave it, of each one at which somebody stays; and
 * deeper ones of a position where somebody asks for them.
 *
 * A search takes the server a second, and a deeper one some, so it is asked for the first only after a while; either is given
 * up when the position is left.
 */
import { useEffect, useState } from "preact/hooks";
import type { BestLine } from "#protocol";
import { askLines } from "../../net/analysis";
import { keepAsking } from "../../net/ask";
import { type Place, keyOf } from "../../state/analysis/analysis";
import {
  type Deeper,
  type Effort,
  type FoundLines,
  type KnownLines,
  deeperOf,
  withLines,
} from "../../state/analysis/bestLines";
import type { Evaluable } from "../../state/analysis/evaluable";
import { useStore } from "../context";

const STAYED_MS = 1_200;

export interface ShownLines {
  /** The lines of the position shown; null until they are known. */
  readonly lines: readonly BestLine[] | null;
  readonly deeper: Deeper;
  goDeeper(): void;
}

export function useBestLines(of: Evaluable | null, place: Place | null): ShownLines {
  const store = useStore();
  const game = of?.key ?? null;
  const [known, set] = useState<KnownLines>({ of: game, found: {} });
  const [wanted, want] = useState<string | null>(null);
  const key = place && keyOf(place);
  const found: FoundLines | null = (known.of === game && key !== null && known.found[key]) || null;
  const isWanted = wanted !== null && wanted === key;
  const effort: Effort | null = found === null ? "usual" : isWanted && found.effort === "usual" ? "deeper" : null;
  useEffect(() => {
    if (of === null || place === null || key === null || effort === null) return;
    return keepAsking(
      effort === "usual" ? STAYED_MS : 0,
      (left) => askLines(store, of, place, effort, left),
      (answer) => {
        if (answer.kind === "there") set((old) => withLines(old, of.key, key, { effort, lines: answer.value.lines }));
        else if (answer.kind === "rejected") want(null);
      },
    );
  }, [game, key, effort]);
  // Whoever comes back asks again.
  useEffect(() => () => want(null), [game, key]);
  return { lines: found?.lines ?? null, deeper: deeperOf(found, isWanted), goDeeper: () => want(key) };
}
