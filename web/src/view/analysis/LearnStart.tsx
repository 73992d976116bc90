/**
 * The way from the analysis of a whole game to learning from its mistakes: of one's own, or of either side in a game of
 * others. While the game is still analysed, and without a mistake, a button is off.
 */
import { useEffect, useRef } from "preact/hooks";
import type { Color } from "../../chess/square";
import { useText } from "../context";

interface Props {
  /** How many mistakes each side can learn from. */
  readonly counts: Readonly<Record<Color, number>>;
  /** The side of the reader. */
  readonly own: Color | null;
  /** Whether all mistakes are known. */
  readonly isReady: boolean;
  /** The side whose lesson was left for this: its button gets the focus. */
  readonly left: Color | null;
  begin(color: Color): void;
}

export function LearnStart({ counts, own, isReady, left, begin }: Props) {
  const { analysis, sides } = useText();
  const { learn } = analysis;
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => back.current?.focus({ preventScroll: true }), []);
  const colors: readonly Color[] = own === null ? ["white", "black"] : [own];
  return (
    <div class="learn-start">
      {colors.map((color) => {
        const count = counts[color];
        const isOff = !isReady || count === 0;
        return (
          <button
            key={color}
            type="button"
            class="primary"
            ref={color === left ? back : null}
            aria-disabled={isOff}
            onClick={() => !isOff && begin(color)}
          >
            {own === null ? learn.startSide(sides[color], count) : learn.start(count)}
          </button>
        );
      })}
    </div>
  );
}
