/**
 * The way from the analysis of a whole game to learning from its mistakes: of one's own, or of either side in a game of
 * others. While the game is still analysed a button is off until a mistake is found; without one there is none after that.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Color } from "../../chess/square";
import { useText } from "../context";

interface Props {
  /** How many mistakes each side can learn from. */
  readonly counts: Readonly<Record<Color, number>>;
  /** The side of the reader. */
  readonly own: Color | null;
  /** Whether all mistakes are known. */
  readonly isWhole: boolean;
  /** The side whose lesson was left for this: its button gets the focus. */
  readonly left: Color | null;
  begin(color: Color): void;
  /** Says that it has the focus, which is given once. */
  settle(): void;
}

export function LearnStart({ counts, own, isWhole, left, begin, settle }: Props) {
  const { analysis, sides } = useText();
  const { learn } = analysis;
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!back.current) return;
    back.current.focus({ preventScroll: true });
    settle();
  }, []);
  const colors: readonly Color[] = own === null ? ["white", "black"] : [own];
  if (isWhole && colors.every((color) => counts[color] === 0)) {
    return <p class="learn-start quiet">{own === null ? learn.none : learn.noneOwn}</p>;
  }
  const button = (color: Color, words: ComponentChildren) => (
    <button
      key={color}
      type="button"
      class="primary"
      ref={color === left ? back : null}
      aria-disabled={counts[color] === 0}
      onClick={() => counts[color] > 0 && begin(color)}
    >
      {words}
    </button>
  );
  if (own !== null) return <div class="learn-start">{button(own, learn.start(counts[own]))}</div>;
  return (
    <div class="learn-start">
      <span aria-hidden="true">{learn.both}</span>
      {colors.map((color) => {
        const words = `${sides[color]} ${counts[color]}`;
        if (isWhole && counts[color] === 0)
          return (
            <span key={color} class="quiet">
              {words}
            </span>
          );
        return button(
          color,
          <>
            <span class="visually-hidden">{learn.title}: </span>
            {words}
          </>,
        );
      })}
    </div>
  );
}
