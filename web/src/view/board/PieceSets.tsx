/**
 * The sets of pieces on the page: the symbols of the one that was chosen, and a sample of each.
 *
 * A set that is not loaded yet is loaded here. Until then the board keeps the pieces that it has.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type { PieceSet } from "../../state/settings";
import { useApp, useStore, useText } from "../context";
import { Drawing, SymbolsOf } from "./pieces";
import { loadShapes, shapesOf } from "./pieceSets";
import type { PieceShapes } from "./pieceSets/shape";
import { STAUNTON } from "./pieceSets/staunton";

/** The shapes of a set, or null until they are loaded. `failed` is called if they cannot be. */
function useShapes(set: PieceSet, failed?: () => void): PieceShapes | null {
  const [, loaded] = useState<PieceSet>();
  useEffect(() => {
    if (shapesOf(set)) return;
    let isWanted = true;
    loadShapes(set).then(
      () => isWanted && loaded(set),
      () => isWanted && failed?.(),
    );
    return () => {
      isWanted = false;
    };
  }, [set]);
  return shapesOf(set);
}

/** The symbols that all pieces on the page refer to, of the set that was chosen. */
export function PieceSymbols() {
  const store = useStore();
  const text = useText();
  const shapes = useShapes(
    useApp((app) => app.settings.pieces),
    () => store.notice("error", text.settings.pieces.failed),
  );
  const shown = useRef<PieceShapes>(STAUNTON);
  if (shapes) shown.current = shapes;
  return <SymbolsOf shapes={shown.current} letters={text.letters} />;
}

const SAMPLES = ["k", "n", "p"] as const;

/** White's king, knight and pawn of a set, whichever is chosen. */
export function PieceSample({ set }: { set: PieceSet }) {
  const shapes = useShapes(set);
  const { letters } = useText();
  return (
    <svg class="piece-sample figure white" viewBox="0 0 132 48" aria-hidden="true">
      {shapes &&
        SAMPLES.map((role, n) => (
          <g key={role} transform={`translate(${42 * n})`}>
            <Drawing shape={shapes[role]} letter={letters[role]} />
          </g>
        ))}
    </svg>
  );
}
