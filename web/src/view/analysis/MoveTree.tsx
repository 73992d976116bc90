/**
 * The moves of an analysis: the main line, and each side line after the move that it replaces, further in. After the last
 * move of a game stands its result, and what somebody tries out from there is a side line. What a PGN says of a move in words
 * stands below that move.
 *
 * One tab stop; the arrow keys step from there, as everywhere on the page.
 */
import { Fragment, type VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { OutcomeView } from "#protocol";
import type { Analysis } from "../../state/analysis/analysis";
import type { Mark } from "../../state/analysis/mistakes";
import { markIn, signsIn, wordsIn } from "../../state/analysis/noted";
import { type Node, type Path, type Tree, beginsWith, isServers } from "../../state/analysis/tree";
import { readFen } from "../../chess/position";
import { showReason, showResult, showSan, showScore, speakSan } from "../../text/words";
import { useText } from "../context";
import { Took } from "../game/MoveList";
import { hasModifier } from "../modifiers";
import { pathByKey } from "./keys";
import { MarkSign } from "./Mark";

interface Props {
  readonly analysis: Analysis;
  /** How the game ended whose moves these are; null without one. */
  readonly outcome: OutcomeView | null;
  /** The mistakes, by the moves in UCI that lead there; a PGN marks moves beside them too. */
  readonly marks: ReadonlyMap<string, Mark>;
  /** What the moves of a game took, by the moves that lead there; seen where each move has a row. */
  readonly took: ReadonlyMap<string, number>;
  go(path: Path): void;
}

export function MoveTree({ analysis, outcome, marks, took, go }: Props) {
  const { analysis: text } = useText();
  const box = useRef<HTMLElement>(null);
  const at = analysis.path.join(" ");
  useEffect(() => {
    // The focus goes along with what is shown: there is one place.
    if (box.current?.contains(document.activeElement))
      box.current.querySelector<HTMLElement>("[tabindex='0']")?.focus({ preventScroll: true });
    if (box.current) bringHere(box.current);
  }, [at]);
  // The chart of the whole game takes some of its room.
  useEffect(() => {
    const sizes = new ResizeObserver(([entry]) => entry && bringHere(entry.target));
    if (box.current) sizes.observe(box.current);
    return () => sizes.disconnect();
  }, []);
  const keys = (event: KeyboardEvent): void => {
    const path = hasModifier(event) ? undefined : pathByKey(event.key, analysis);
    if (!path) return;
    event.preventDefault();
    event.stopPropagation();
    go(path);
  };
  const isEmpty = analysis.tree.length === 0;
  const { fullmove, turn } = readFen(analysis.start);
  const first = (fullmove - 1) * 2 + (turn === "black" ? 1 : 0);
  const end = analysis.played && {
    place: analysis.played,
    row: <Result outcome={outcome} score={analysis.headers.Result ?? "*"} />,
  };
  return (
    <section
      class={isEmpty ? "tree" : "tree has-moves"}
      aria-label={text.moves}
      // In a low window its sentence may have to be scrolled, and nothing else in it takes the focus.
      tabIndex={isEmpty ? 0 : undefined}
      ref={box}
      onKeyDown={keys}
    >
      {isEmpty ? (
        <p class="quiet">{text.noMoves}</p>
      ) : (
        <>
          {commentOn(analysis.comment, "first")}
          <Line
            tree={analysis.tree}
            before={[]}
            first={first}
            isFirst
            end={end}
            at={at}
            marks={marks}
            took={took}
            go={go}
          />
        </>
      )}
    </section>
  );
}

/** What a comment says, as a paragraph; null if it says nothing to a reader. */
function commentOn(comment: string | undefined, key: string): VNode | null {
  const words = wordsIn(comment);
  return words === "" ? null : (
    <p class="comment" key={key}>
      {words}
    </p>
  );
}

/**
 * Scrolls so that the move shown is in the middle, or where the style sheet says how much stands above it, below that; and a row
 * begins at the top.
 */
function bringHere(box: Element): void {
  const now = box.querySelector<HTMLElement>("[aria-current]");
  const above = parseFloat(getComputedStyle(box).scrollPaddingTop);
  const middle = (box.clientHeight - (now?.offsetHeight ?? 0)) / 2;
  const wanted = now ? now.offsetTop - (Number.isNaN(above) ? middle : above) : 0;
  const rows = [...box.querySelectorAll<HTMLElement>(".ply, .tree-result")].map((row) => row.offsetTop);
  box.scrollTo(0, Math.max(0, ...rows.filter((top) => top <= wanted)));
}

interface LineProps {
  readonly tree: Tree;
  readonly before: Path;
  /** The ply of the first move, counted from White's first. */
  readonly first: number;
  /** Whether nothing stands before it in its row. */
  readonly isFirst: boolean;
  /** Whether its moves are the server's own. */
  readonly isOfServer?: boolean;
  /** Where a game ends, and what stands there. */
  readonly end: { readonly place: Path; readonly row: VNode } | null;
  /** The place that is shown. */
  readonly at: string;
  readonly marks: Props["marks"];
  readonly took: Props["took"];
  go(path: Path): void;
}

/**
 * A line to its end: a loop rather than a call for each move, as games are long. A line of the server is a side line, and so is
 * what somebody has added to it, and what follows the end of a game.
 */
function Line({ tree, before, first, isFirst, isOfServer = false, end, at, marks, took, go }: LineProps) {
  const { analysis: text } = useText();
  const items = [];
  let path = before;
  let isFresh = isFirst;
  for (let choices = tree, ply = first; ; ply += 1) {
    const isEnd = path.length === end?.place.length && beginsWith(path, end.place);
    if (isEnd) items.push(<Fragment key="end">{end.row}</Fragment>);
    const [main] = choices;
    if (!main) break;
    const isApart = isEnd || isServers(main) !== isOfServer;
    const others = isApart ? choices : choices.slice(1);
    const here = path;
    path = [...path, main.uci];
    const move = { node: main, path, ply, isFresh, at, marks, took, go };
    const comment = isApart ? null : commentOn(main.note?.comment, `${ply} comment`);
    if (!isApart) items.push(<Move key={`${ply} ${main.uci}`} {...move} />, comment);
    isFresh = others.length > 0 || comment !== null;
    for (const other of others) {
      const said = commentOn(other.note?.comment, "comment");
      const isLabelled = isServers(other) && (isApart || !isOfServer);
      items.push(
        <div
          class="side-line"
          role="group"
          aria-label={!isLabelled ? text.variation : other.isHelp ? text.helpLine : text.shownLine}
          key={`${ply} ${other.uci}`}
        >
          {isLabelled && <span class="quiet">{other.isHelp ? text.help : text.shown} </span>}
          <Move node={other} path={[...here, other.uci]} ply={ply} isFresh at={at} marks={marks} took={took} go={go} />
          {said}
          <Line
            tree={other.next}
            before={[...here, other.uci]}
            first={ply + 1}
            isFirst={said !== null}
            isOfServer={isServers(other)}
            end={end}
            at={at}
            marks={marks}
            took={took}
            go={go}
          />
        </div>,
      );
    }
    if (isApart) break;
    choices = main.next;
  }
  return <>{items}</>;
}

/** How a game ended, as its last row; of a pasted one only the score is known, and a checkmate its last move says. */
function Result({ outcome, score }: { readonly outcome: OutcomeView | null; readonly score: string }) {
  const text = useText();
  if (!outcome) return <p class="tree-result">{showScore(score)}</p>;
  const reason = showReason(text, outcome, null);
  const shown = [
    outcome.score === "*" ? "" : showScore(outcome.score),
    outcome.reason === "checkmate" ? "" : reason,
  ].filter(Boolean);
  return (
    <p class="tree-result">
      <span aria-hidden="true">{shown.join(" · ")}</span>
      <span class="visually-hidden">{`${showResult(text, outcome, null)}: ${reason}`}</span>
    </p>
  );
}

interface MoveProps {
  readonly node: Node;
  readonly path: Path;
  readonly ply: number;
  /** Whether its number stands before it although Black makes it. */
  readonly isFresh: boolean;
  readonly at: string;
  readonly marks: Props["marks"];
  readonly took: Props["took"];
  go(path: Path): void;
}

function Move({ node, path, ply, isFresh, at, marks, took, go }: MoveProps) {
  const text = useText();
  const place = path.join(" ");
  const isHere = place === at;
  const mark = marks.get(place) ?? markIn(node.note);
  const isFirst = at === "" && path.length === 1;
  const san = node.san ?? node.uci;
  const ms = took.get(place);
  return (
    <span class={`tree-move ${ply % 2 === 0 ? "white" : "black"}`}>
      {(ply % 2 === 0 || isFresh) && (
        <span class="number">{`${Math.floor(ply / 2) + 1}${ply % 2 === 0 ? "." : "…"}`}</span>
      )}
      <button
        type="button"
        class="ply"
        tabIndex={isHere || isFirst ? 0 : -1}
        aria-current={isHere ? "step" : undefined}
        onClick={() => go(path)}
      >
        <span aria-hidden="true">{showSan(text, san)}</span>
        <span class="visually-hidden">{speakSan(text, san)}</span>
        {mark && (
          <>
            <MarkSign mark={mark} />
            <span class="visually-hidden">, {text.analysis.whole.marks[mark]}</span>
          </>
        )}
        {signsIn(node.note).map((sign) => (
          <Fragment key={sign}>
            <span class="sign" aria-hidden="true">
              {sign}
            </span>
            <span class="visually-hidden">, {text.analysis.signs[sign]}</span>
          </Fragment>
        ))}
        {ms !== undefined && (
          <span class="time">
            <Took ms={ms} />
          </span>
        )}
      </button>
    </span>
  );
}
