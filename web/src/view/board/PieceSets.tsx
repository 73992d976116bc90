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

/** Of each side one on a square of its own colour and one on the other: the second is what has to be told. */
const SAMPLES = [
  { role: "k", color: "white", square: "dark" },
  { role: "q", color: "black", square: "light" },
  { role: "n", color: "black", square: "dark" },
  { role: "p", color: "white", square: "light" },
] as const;

/** Some pieces of a set on squares, whichever set is chosen. */
export function PieceSample({ set }: { set: PieceSet }) {
  const shapes = useShapes(set);
  const { letters } = useText();
  return (
    <svg class="piece-sample" viewBox="0 0 192 48" aria-hidden="true">
      {SAMPLES.map(({ role, color, square }, n) => (
        <g key={role} class={`figure ${color}`} transform={`translate(${48 * n})`}>
          <path class={`${square}-square`} d="M0 0h48v48h-48z" />
          {shapes && <Drawing shape={shapes[role]} letter={letters[role]} />}
        </g>
      ))}
    </svg>
  );
}
