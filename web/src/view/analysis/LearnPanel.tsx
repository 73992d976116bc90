/**
 * What there is to do in a lesson, what became of the move that was tried, and the ways on. A screen reader is told each step.
 * What a position is worth is said in words: a plus that is White's would look like praise to whoever learns for Black.
 *
 * The buttons keep their places, so that the focus stays on them from mistake to mistake. The last one is before the line to
 * type a move; it gets the focus of that line when a mistake is solved and the line goes.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Evaluation } from "#protocol";
import { type Position, moveNumber, play } from "../../chess/position";
import {
  type Lesson,
  type Task,
  type Tried,
  begun,
  hasNext,
  isSolved,
  taskOf,
  withBest,
  withNext,
} from "../../state/analysis/learn";
import type { NamedMove } from "../../state/analysis/tree";
import { speakWorth } from "../../state/analysis/worth";
import type { Catalogue } from "../../text";
import { showSan, showUci, speakSan, speakUci } from "../../text/words";
import { useStore, useText } from "../context";
import { isOnPage } from "../focus";
import { useLasts } from "../now";
import { LATE_MS, whyRejected } from "./EvaluationPanel";
import type { Learning } from "./learn";

interface Props {
  readonly lesson: Lesson;
  /** Whether more mistakes may be found. */
  readonly isGrowing: boolean;
  /** Whether the whole game was looked at. */
  readonly isWhole: boolean;
  /** Whether the reader made the mistakes. */
  readonly isOwn: boolean;
  /** The position before the mistake. */
  readonly before: Position;
  readonly children: ComponentChildren;
  change: Learning["change"];
  leave(): void;
}

export function LearnPanel({ lesson, isGrowing, isWhole, isOwn, before, children, change, leave }: Props) {
  const store = useStore();
  const text = useText();
  const { learn } = text.analysis;
  const { tasks, at, step } = lesson;
  const heading = useRef<HTMLHeadingElement>(null);
  const next = useRef<HTMLButtonElement>(null);
  const isEnd = step.kind === "done";
  const end = isEnd ? endWords(text, lesson, isWhole) : "";
  const isWaiting = isEnd && isGrowing && !hasNext(lesson);
  const isOver = isEnd && !isGrowing && !hasNext(lesson);
  const progress = learn.progress(at + 1, tasks.length, isGrowing);
  const task = taskWords(text, lesson, isOwn, before);
  const outcome = outcomeWords(text, lesson, before);
  const isFresh = step.kind === "searching" && !step.wrong && !step.rejected;
  useEffect(() => {
    if (isEnd) store.say(isWaiting ? `${end}. ${learn.mayCome}` : end);
    else if (isFresh) store.say(`${progress}. ${task.spoken}. ${outcome.spoken}`);
    else if (step.kind !== "asking") store.say(outcome.spoken);
  }, [at, step, end]);
  useEffect(() => {
    if (isSolved(lesson) && isOnPage()) next.current?.focus({ preventScroll: true });
  }, [at, step]);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <section class="learn" aria-label={learn.title}>
      <div class="learn-head">
        <h2 ref={heading} tabIndex={-1}>
          {learn.title}
        </h2>
        {!isEnd && <span class="quiet">{progress}</span>}
      </div>
      <div class={`learn-words ${step.kind}`}>
        {isEnd ? (
          <>
            <p>
              <strong>{end}</strong>
            </p>
            {isWaiting && <p class="outcome">{learn.mayCome}</p>}
          </>
        ) : (
          <>
            <p>
              <strong aria-hidden="true">{task.shown}</strong>
              <span class="visually-hidden">{task.spoken}</span>
            </p>
            <p class="outcome">
              <span aria-hidden="true">{outcome.shown}</span>
              <span class="visually-hidden">{outcome.spoken}</span>
            </p>
            {step.kind === "asking" && <Late key={step.uci} />}
          </>
        )}
      </div>
      <div class="learn-ways">
        <button type="button" key="leave" onClick={leave}>
          {isEnd ? learn.leave : learn.stop}
        </button>
        {!isEnd && (
          <button type="button" key="show" aria-disabled={isSolved(lesson)} onClick={() => change(withBest)}>
            {learn.show}
          </button>
        )}
        <button
          type="button"
          key="next"
          ref={next}
          class={isSolved(lesson) ? "primary" : ""}
          aria-disabled={isWaiting}
          onClick={() => !isWaiting && change(isOver ? (old) => begun(null, old.color, old.tasks) : withNext)}
        >
          {isOver ? learn.again : learn.next}
        </button>
      </div>
      {children}
    </section>
  );
}

/** That the server has no time yet to look at a move. */
function Late() {
  const { evaluation } = useText().analysis;
  return useLasts(LATE_MS) ? <p class="quiet">{evaluation.busy}</p> : null;
}

/** After the last mistake that is known: that there is another one by now, or how many were found. */
function endWords({ analysis }: Catalogue, lesson: Lesson, isWhole: boolean): string {
  const { learn } = analysis;
  const { found, tasks } = lesson;
  if (hasNext(lesson)) return learn.another;
  return isWhole ? learn.done(found, tasks.length) : learn.soFar(found, tasks.length);
}

/** A text for eyes, and one that is read out. */
interface Words {
  readonly shown: string;
  readonly spoken: string;
}

/** Who made which mistake. */
function taskWords(text: Catalogue, lesson: Lesson, isOwn: boolean, before: Position): Words {
  const { learn, whole } = text.analysis;
  const { played, mark } = taskOf(lesson);
  const sentence = (move: string): string =>
    isOwn ? learn.youPlayed(move) : learn.played(text.sides[lesson.color], move);
  const { shown, spoken } = moveWords(text, played, before);
  return { shown: sentence(shown + mark), spoken: sentence(`${spoken}, ${whole.marks[mark]}`) };
}

/** What there is to do, or what became of it. */
function outcomeWords(text: Catalogue, lesson: Lesson, before: Position): Words {
  const { learn } = text.analysis;
  const { step, color } = lesson;
  const task = taskOf(lesson);
  const named = moveWords(text, task.best, before);
  const best = withWorth(named, wordsOf(text, task.before));
  const same = (words: string): Words => ({ shown: words, spoken: words });
  const of = (move: Words, sentence: (move: string) => string): Words => ({
    shown: sentence(move.shown),
    spoken: sentence(move.spoken),
  });
  switch (step.kind) {
    case "searching":
      if (step.rejected !== undefined) return same(whyRejected(text, step.rejected));
      return step.wrong ? wrongWords(text, step.wrong, before) : same(learn.find(text.sides[color]));
    case "asking":
      return of(
        { shown: `${moveNumber(before)} ${showUci(text, step.uci, before)}`, spoken: speakUci(text, step.uci, before) },
        learn.asking,
      );
    case "good": {
      const move = withWorth(moveWords(text, step.move, before), wordsOf(text, step.after));
      return { shown: learn.good(move.shown, best.shown), spoken: learn.good(move.spoken, best.spoken) };
    }
    case "right":
      return of(withWorth(named, comparedWords(text, task)), learn.right);
    default:
      return of(best, learn.shown);
  }
}

/** What a position is worth after a move that loses too much, and the answer that shows it; after the last move there is none. */
function wrongWords(text: Catalogue, { move, after }: Tried, before: Position): Words {
  const { learn } = text.analysis;
  const lost = withWorth(moveWords(text, move, before), wordsOf(text, after), ",");
  const answer = after?.line[0];
  if (!answer) return { shown: learn.wrong(lost.shown), spoken: learn.wrong(lost.spoken) };
  const next = moveWords(text, answer, play(before, move.uci));
  return { shown: learn.answered(lost.shown, next.shown), spoken: learn.answered(lost.spoken, next.spoken) };
}

const wordsOf = (text: Catalogue, after: Evaluation | null): string => (after ? speakWorth(text, after) : "");

/** What the position is worth after the best move, and after the one of the game where that is something else. */
function comparedWords(text: Catalogue, { before, after }: Task): string {
  const [best, played] = [wordsOf(text, before), wordsOf(text, after)];
  return played === "" || played === best ? best : `${best}; ${text.analysis.learn.inGame(played)}`;
}

/** A move with what the position after it is worth, if that is known; read out, the sentence may go on after a pause. */
function withWorth({ shown, spoken }: Words, worth: string, pause = ""): Words {
  return worth === "" ? { shown, spoken } : { shown: `${shown} (${worth})`, spoken: `${spoken}, ${worth}${pause}` };
}

function moveWords(text: Catalogue, { san }: NamedMove, before: Position): Words {
  return { shown: `${moveNumber(before)} ${showSan(text, san)}`, spoken: speakSan(text, san) };
}
