/**
 * The analysis of a whole game: a row with its start, how far it is, and after its end the ways to its mistakes. The chart is
 * EvaluationChart.tsx; how many mistakes there are, MistakeTable.tsx says.
 *
 * There is a chart once somebody asks for the whole game, or comes to one of which most is known. Where stepping has
 * found all of it, the chart comes with the next step and not with an answer: nothing moves by itself below a finger.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Path } from "../../state/analysis/tree";
import { type MarkedMove, countsOf, mistakeFrom } from "../../state/analysis/mistakes";
import type { GameMoves } from "../../state/analysis/times";
import { useStore, useText } from "../context";
import { Icon } from "../Icon";
import type { Evaluated } from "./evaluation";
import { whyRejected } from "./EvaluationPanel";

interface Props {
  readonly moves: GameMoves;
  readonly evaluated: Evaluated;
  /** Whether all is known that there is to know. */
  readonly isWhole: boolean;
  readonly mistakes: readonly MarkedMove[];
  /** The worst of them, once all are known. */
  readonly worst: MarkedMove | null;
  /** Which ply of the game is shown, if it is one. */
  readonly ply: number | null;
  /** The ply at which the game was left, or the one shown. */
  readonly from: number;
  step(ply: number): void;
  /** To the next mistake, or the one before. */
  toMistake(by: 1 | -1): void;
}

export function WholeGame(props: Props) {
  const { moves, evaluated, isWhole, mistakes, worst, ply, from, step, toMistake } = props;
  const store = useStore();
  const text = useText();
  const { analysis, sides } = text;
  const { whole: words } = analysis;
  const { known, sketch, whole, start, stop } = evaluated;
  const all = moves.plyCount + 1;
  const done = Object.keys({ ...sketch, ...known }).length;
  const isRunning = whole === "running" && Object.keys(known).length < all;
  const sums = (["white", "black"] as const).map((color) => words.sum(sides[color], ...countsOf(mistakes, color)));
  const before = useRef(whole);
  useEffect(() => {
    if (before.current === "running" && whole === "done") store.say([words.done, ...sums].join(" "));
    // In the row of buttons there is no room for it.
    if (typeof whole === "object") store.notice("error", whyRejected(text, whole.rejected, words.rejected));
    before.current = whole;
  }, [whole]);
  const way = (by: 1 | -1) => ({
    label: by === 1 ? words.nextMistake : words.previousMistake,
    sign: [<Icon name={by === 1 ? "forward" : "back"} />, words.marks["?"]],
    isOff: mistakeFrom(mistakes, from, by) === null,
    act: () => toMistake(by),
  });
  return (
    <section class="whole-game" aria-label={words.title}>
      {isWhole && <WayButton key="back" {...way(-1)} />}
      {isWhole && (
        <WayButton
          key="worst"
          kind="to-worst"
          label={words.worstMove}
          isOff={worst === null || worst.ply === ply}
          act={() => worst && step(worst.ply)}
        />
      )}
      {/* One and the same button, so that the focus stays while what it does changes: at the end it leads on. */}
      {isWhole ? (
        <WayButton key="main" {...way(1)} />
      ) : isRunning ? (
        <WayButton key="main" label={words.stop} act={stop} />
      ) : (
        <WayButton key="main" label={words.start} act={start} kind="primary" />
      )}
      {isRunning && (
        <div class="progress">
          <span aria-hidden="true">{words.progress(done, all)}</span>
          <progress max={all} value={done} aria-label={words.progress(done, all)} />
        </div>
      )}
    </section>
  );
}

/** Whether there is a chart, by what is known of the game's positions; `place` is the one shown. */
export function useCharted({ known, isAsked, whole }: Evaluated, plyCount: number, isWhole: boolean, place: Path) {
  const isMost = isWhole || Object.keys(known).length > (plyCount + 1) / 2;
  const isRunning = whole === "running";
  const [isCharted, set] = useState(isMost);
  useEffect(() => {
    if (isRunning || isWhole) set(true);
  }, [isRunning, place]);
  useEffect(() => {
    if (isAsked && isMost) set(true);
  }, [isAsked]);
  return isCharted;
}

interface Beginning extends Pick<Evaluated, "isAsked" | "isLeft" | "start"> {
  /** Whether the page was opened for it. */
  readonly begins: boolean;
  readonly isWhole: boolean;
  /** Shows the first mistake of one's own, if there is one. */
  first(): void;
}

const TOUCHES = ["pointerdown", "keydown", "wheel"] as const;

/**
 * Analyses the whole game at once, as far as the server does not know it yet, if the page was opened for that or was left
 * before the end. Whom the page was opened for is shown the first mistake after that, once, unless they have done anything
 * there meanwhile.
 */
export function useBegun({ begins, isAsked, isLeft, isWhole, start, first }: Beginning): void {
  const leads = useRef(begins);
  useEffect(() => {
    if ((begins || isLeft) && isAsked && !isWhole) start();
  }, [isAsked]);
  useEffect(() => {
    const stay = (): void => {
      leads.current = false;
    };
    for (const touch of TOUCHES) addEventListener(touch, stay, { capture: true, passive: true });
    return () => {
      for (const touch of TOUCHES) removeEventListener(touch, stay, { capture: true });
    };
  }, []);
  useEffect(() => {
    if (isWhole && leads.current) first();
    if (isWhole) leads.current = false;
  }, [isWhole]);
}

interface WayProps {
  readonly label: string;
  readonly kind?: string;
  /** In the place of the words where there is little room. */
  readonly sign?: ComponentChildren;
  readonly isOff?: boolean;
  act(): void;
}

function WayButton({ label, kind = "", sign = null, isOff = false, act }: WayProps) {
  return (
    <button
      type="button"
      class={kind}
      title={sign ? label : undefined}
      aria-disabled={isOff}
      onClick={() => !isOff && act()}
    >
      {sign && (
        <span class="sign" aria-hidden="true">
          {sign}
        </span>
      )}
      <span class={sign ? "words" : ""}>{label}</span>
    </button>
  );
}
