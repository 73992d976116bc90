/**
 * The analysis of a whole game: its start, how far it is, and after its end the way from mistake to mistake; how many there
 * are, by which rule; and the chart.
 *
 * There is a chart once somebody asks for the whole game, or comes back to one of which most is known. Where stepping has
 * found all of it, the chart comes with the next step and not with an answer: nothing moves by itself below a finger. On a
 * phone it stands near the board, in the place of the last of the best lines.
 */
import type { Game } from "zeitnot-client";
import { useEffect, useRef, useState } from "preact/hooks";
import { MARKS, type MarkedMove, countsOf, mistakeFrom } from "../../state/analysis/mistakes";
import type { Path } from "../../state/analysis/tree";
import { useStore, useText } from "../context";
import { useMedia } from "../media";
import type { Evaluated } from "./evaluation";
import { EvaluationChart } from "./EvaluationChart";
import { MistakeTable } from "./MistakeTable";

/** Where there is room for the chart between the best lines and the buttons; as in analysis.css. */
const PHONE =
  "(orientation: portrait) and (min-width: 22.01rem) and (max-width: 40rem) and (min-height: 30rem) and (max-aspect-ratio: 599 / 1000)";

interface Props {
  readonly game: Game;
  readonly evaluated: Evaluated;
  readonly mistakes: readonly MarkedMove[];
  /** Which position is shown, and which ply of the game that is, if it is one. */
  readonly place: Path;
  readonly ply: number | null;
  /** The ply at which the game was left, or the one shown. */
  readonly from: number;
  step(ply: number): void;
  /** To the next mistake, or the one before. */
  toMistake(by: 1 | -1): void;
}

export function WholeGame({ game, evaluated, mistakes, place, ply, from, step, toMistake }: Props) {
  const store = useStore();
  const { analysis, sides } = useText();
  const { whole: words } = analysis;
  const { known, whole, start, stop } = evaluated;
  const all = game.plyCount + 1;
  const done = Object.keys(known).length;
  const isRunning = whole === "running";
  const isPhone = useMedia(PHONE);
  const [isCharted, setCharted] = useState(done > all / 2);
  useEffect(() => {
    if (isRunning || done === all) setCharted(true);
  }, [isRunning, place]);
  const sums = (["white", "black"] as const).map((color) => words.sum(sides[color], ...countsOf(mistakes, color)));
  const before = useRef(whole);
  useEffect(() => {
    if (before.current === "running" && whole === "done") store.say([words.done, ...sums].join(" "));
    before.current = whole;
  }, [whole]);
  const chart = isCharted && (
    <EvaluationChart game={game} known={known} mistakes={mistakes} ply={ply} isStrip={isPhone} step={step} />
  );
  const mistakeButton = (by: 1 | -1) => (
    <button type="button" aria-disabled={mistakeFrom(mistakes, from, by) === null} onClick={() => toMistake(by)}>
      {by === 1 ? words.nextMistake : words.previousMistake}
    </button>
  );
  return (
    <>
      {isPhone && chart}
      <section class="whole-game" aria-label={words.title}>
        <div class="row">
          {/* The first button stays one and the same, so that the focus stays while what it does changes. */}
          {done < all ? (
            <button type="button" class={isRunning ? "" : "primary"} onClick={isRunning ? stop : start}>
              {isRunning ? words.stop : words.start}
            </button>
          ) : (
            mistakeButton(-1)
          )}
          {done === all && mistakeButton(1)}
          {isRunning && done < all && (
            <label class="progress">
              <span>{words.progress(done, all)}</span>
              <progress max={all} value={done} />
            </label>
          )}
        </div>
        {whole === "rejected" && <p role="alert">{words.rejected}</p>}
        {!isPhone && chart}
        {isCharted && <MistakeTable game={game} known={known} mistakes={mistakes} />}
        {isCharted && (
          <details>
            <summary>{words.rule}</summary>
            <p>{words.ruleText(MARKS)}</p>
          </details>
        )}
      </section>
    </>
  );
}
