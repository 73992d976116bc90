/** The analysis of a whole game: its start, how far it is, its end; the mistakes it found, and by which rule. */
import type { Game } from "zeitnot-client";
import { useEffect, useRef } from "preact/hooks";
import { MARKS, type MarkedMove, countsOf } from "../../state/analysis/mistakes";
import { useStore, useText } from "../context";
import type { Evaluated } from "./evaluation";

interface Props {
  readonly game: Game;
  readonly evaluated: Evaluated;
  readonly mistakes: readonly MarkedMove[];
}

export function WholeGame({ game, evaluated, mistakes }: Props) {
  const store = useStore();
  const { analysis, sides } = useText();
  const { whole: words } = analysis;
  const { known, whole, start, stop } = evaluated;
  const all = game.plyCount + 1;
  const done = Object.keys(known).length;
  const isRunning = whole === "running";
  const sums = (["white", "black"] as const).map((color) => words.sum(sides[color], ...countsOf(mistakes, color)));
  const before = useRef(whole);
  useEffect(() => {
    if (before.current === "running" && whole === "done") store.say([words.done, ...sums].join(" "));
    before.current = whole;
  }, [whole]);
  return (
    <div class="whole-game">
      {done < all && (
        <div class="row">
          {/* One button, so that the focus stays while what it does changes. */}
          <button type="button" class={isRunning ? "" : "primary"} onClick={isRunning ? stop : start}>
            {isRunning ? words.stop : words.start}
          </button>
          {isRunning && (
            <label class="progress">
              <span>{words.progress(done, all)}</span>
              <progress max={all} value={done} />
            </label>
          )}
        </div>
      )}
      {whole === "rejected" && <p role="alert">{words.rejected}</p>}
      {done === all && (
        <p>
          {sums[0]}
          <br />
          {sums[1]}
        </p>
      )}
      <details>
        <summary>{words.rule}</summary>
        <p>{words.ruleText(MARKS)}</p>
      </details>
    </div>
  );
}
