/**
 * An analysis on the screen: the board with its players, and the parts around it, which ColumnParts.tsx arranges, and on a phone
 * TabbedParts.tsx: what the rules and the computer say, the tree of moves, the times, and what goes in and out.
 *
 * Keeps the analysis while the page is open, and what was made of a finished game over a reload. What is legal, and what it is
 * called, are the server's answers.
 */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { OutcomeView, PositionAnalysis } from "#protocol";
import { type Game, seatOf } from "zeitnot-client";
import { keepTree, loadTree } from "../../net/keptTrees";
import { START_FEN, moveNumber } from "../../chess/position";
import { type Color, other } from "../../chess/square";
import {
  type Analysis,
  fenOf,
  isNoMoveLeft,
  lastOf,
  placeOf,
  positionsOn,
  withKept,
  withMove,
  withShown,
  withPromotion,
  withoutMove,
} from "../../state/analysis/analysis";
import { deepened } from "../../state/analysis/bestLines";
import { broughtIn, subjectOf } from "../../state/analysis/evaluable";
import { hintsOf } from "../../state/analysis/hints";
import { taskOf, tasksOf } from "../../state/analysis/learn";
import {
  type Mark,
  type MarkedMove,
  bestInstead,
  mistakeFrom,
  mistakesIn,
  worstOf,
} from "../../state/analysis/mistakes";
import { notesOf } from "../../state/analysis/notes";
import { type GameMoves, played, tookByPlace } from "../../state/analysis/times";
import { type NewMove, type Path, canPromote, forward, nodesOn, sizeOf, withNames } from "../../state/analysis/tree";
import { pathOf } from "../../state/route";
import { useApp, useStore, useText } from "../context";
import { PageLink } from "../HomeLink";
import { useSettled } from "../settled";
import { AnalysisBoard } from "./AnalysisBoard";
import { useAnnouncements } from "./announce";
import { CanMate } from "./CanMate";
import { ColumnParts } from "./ColumnParts";
import { EvaluationBar } from "./EvaluationBar";
import { EvaluationChart } from "./EvaluationChart";
import { EvaluationPanel, NoEvaluation } from "./EvaluationPanel";
import { useBestLines } from "./bestLines";
import { useEvaluations } from "./evaluation";
import { Exchange } from "./Exchange";
import { Explorer, FoldedExplorer } from "./Explorer";
import { useKeys } from "./keys";
import { useLearning } from "./learn";
import { LearnStart } from "./LearnStart";
import { LearnView } from "./LearnView";
import { LinesFoot } from "./LinesFoot";
import { MistakeRule } from "./MistakeRule";
import { MoreMenu } from "./MoreMenu";
import { MistakeNote, MoveNow } from "./MoveNow";
import { MoveTree } from "./MoveTree";
import { OwnFinished } from "./OwnFinished";
import type { Parts } from "./parts";
import { useLowPhone, usePhone } from "./phone";
import { PlayedHere } from "./PlayedHere";
import { nameLine, usePosition } from "./position";
import { PositionFacts } from "./PositionFacts";
import { Side } from "./Side";
import { StepButtons } from "./StepButtons";
import { TabbedParts } from "./TabbedParts";
import { TimeChart } from "./TimeChart";
import { TreeActions } from "./TreeActions";
import { TypedMove } from "./TypedMove";
import { MistakeTable } from "./MistakeTable";
import { WholeGame, useBegun, useCharted } from "./WholeGame";

interface Props {
  readonly game: Game | null;
  readonly begun: Analysis;
  /** Whether the whole game is analysed at once. */
  readonly begins?: boolean;
  /** The side at the bottom, if the player has turned the board. */
  readonly turned: Color | null;
  /** Begins with what is loaded, though the address stays. */
  anew(): void;
}

export function AnalysisView({ game, begun, begins = false, turned: first, anew }: Props) {
  const store = useStore();
  const text = useText();
  const { analysis: words } = text;
  const [analysis, set] = useState(() => (game ? withKept(begun, loadTree(sessionStorage, game.id)) : begun));
  // Whether the server evaluates a game whose PGN brings its own evaluations.
  const [isAnew, analyseAnew] = useState(false);
  const { moves, noted, evaluable } = useMemo(() => subjectOf(game, begun, isAnew), [game, isAnew]);
  const account = useApp((app) => app.account);
  const [turned, turn] = useState(first);
  // Kept here, so that it stays over a lesson.
  const [isExplored, explore] = useState(false);
  // So that it stays while one steps to positions whose lines are not known yet.
  const [isUnfolded, unfold] = useState(false);
  const isPhone = usePhone();
  const isLow = useLowPhone();
  const isSettled = useSettled(words.exchange.begin);
  const seat = game && seatOf(game, account);
  const bottom: Color = turned ?? seat ?? "white";
  const { start, chess960, path, tree } = analysis;
  const positions = positionsOn(analysis);
  const position = positions[positions.length - 1];
  const { facts, trouble } = usePosition({ start, chess960, moves: path });
  const place = placeOf(analysis, moves);
  const ply = place?.moves.length === 0 ? place.ply : null;
  const learning = useLearning();
  // Nothing is asked or said of the analysis behind a lesson.
  const seen = learning.lesson ? null : place;
  const evaluated = useEvaluations(evaluable, seen, moves?.plyCount ?? 0);
  const known = noted?.known ?? evaluated.known;
  const best = useBestLines(evaluable, seen);
  const now = noted && ply !== null ? known[ply] : deepened(evaluated.now, best.lines);
  const mistakes = useMemo(
    () => noted?.mistakes ?? (evaluable && moves ? mistakesIn(moves, known) : []),
    [noted, moves, known],
  );
  const marked = mistakes.find((move) => move.ply === ply) ?? null;
  // Until all are known another one may be worse.
  const isWhole = noted !== null || (moves !== null && Object.keys(known).length > moves.plyCount);
  const isCharted = useCharted({ ...evaluated, known }, moves?.plyCount ?? 0, isWhole, path);
  const worst = isWhole ? worstOf(mistakes) : null;
  const placeAt = (at: number): Path => (moves ? played(moves, at) : []);
  const marks = useMemo(
    () => new Map<string, Mark>(mistakes.map(({ ply: at, mark }) => [placeAt(at).join(" "), mark])),
    [moves, mistakes],
  );
  const took = useMemo(() => (moves ? tookByPlace(moves) : new Map<string, number>()), [moves]);
  // The PGN of a game that was brought along has its times already.
  const noteOf = useMemo(
    () => (evaluable && moves ? notesOf(moves, known, mistakes, game ? undefined : []) : undefined),
    [moves, known, mistakes],
  );
  const go = (to: Path): void => set((old) => ({ ...old, path: to }));
  const toPly = (to: number): void => go(placeAt(to));
  const flip = (): void => turn(other(bottom));
  const toMistake = (by: 1 | -1): void => {
    const to = mistakeFrom(mistakes, place?.ply ?? 0, by);
    if (to !== null) toPly(to);
  };
  const toFirst = (): void => {
    const own = mistakes.find(({ color }) => color === seat);
    if (!own) return;
    toPly(own.ply);
    store.notice("info", words.whole.firstMistake);
  };
  useBegun({ ...evaluated, begins: begins || isAnew, isWhole, first: toFirst });
  useKeys(analysis, { go, flip, toMistake }, learning.lesson !== null);
  useAnnouncements(analysis, facts, now ?? null);
  useEffect(() => {
    addEventListener("click", showUnfolded);
    return () => removeEventListener("click", showUnfolded);
  }, []);
  useEffect(() => {
    if (game) keepTree(sessionStorage, game.id, sizeOf(tree) > game.plies.length ? tree : null);
  }, [tree]);
  useEffect(() => {
    if (facts) set((old) => ({ ...old, tree: withNames(old.tree, facts.moves) }));
  }, [facts]);

  if (!position) return null;
  const { lesson } = learning;
  if (moves && evaluable && lesson) {
    // Back to the mistake, with all that there is to say of it.
    const leave = (): void => {
      learning.leave();
      toPly(taskOf(lesson).ply);
    };
    const learned = { game, headers: analysis.headers, own: seat, of: evaluable, moves, chess960 };
    return <LearnView {...learned} lesson={lesson} change={learning.change} leave={leave} />;
  }
  const tasks = (color: Color) => (moves ? tasksOf(moves, mistakes, color) : []);
  /** A line from the position shown, or from another one, which is gone back to; so many of its moves are played. */
  const add = async (moves: readonly NewMove[], plays = 1, after = path): Promise<void> => {
    const named = await nameLine({ start, chess960, moves: after }, moves);
    const from = (old: Analysis): Analysis => (after === path ? old : { ...old, path: after });
    set((old) => (old.start === start ? withShown(from(old), after, named, plays) : old));
    showBoard();
    store.say(words.canMate.shown(moves.length));
  };
  const play = (uci: string): void => set((old) => withMove(old, uci));
  const node = nodesOn(tree, path).at(-1);
  const previous = positions.at(-2);
  const made = node && previous ? { node, before: previous } : null;
  const hasWorth = evaluable !== null || Object.keys(known).length > 0;
  const hasEvaluation = hasWorth || mistakes.length > 0;
  const hasMistakes = evaluable !== null || mistakes.length > 0;
  const fen = facts?.fen ?? fenOf(analysis);
  const over = endIn(facts);
  const mayPlay = (facts?.legal.length ?? 0) > 0;
  const explored = {
    fen: fenOf(analysis),
    moves: start === START_FEN ? nodesOn(tree, path).map(({ san, uci }) => san ?? uci) : null,
    play,
  };
  const isLoaded = begun.tree.length > 0 || begun.start !== START_FEN;
  const instead = [...(chess960 ? [] : [words.explorer.title]), words.canMate.title];
  const side = (color: Color) => (
    <Side game={game} moves={moves} headers={analysis.headers} color={color} ply={ply} position={position} />
  );
  const mistake = made && marked && over === null && !noted && !isUnfolded && isLow;
  const foot = (
    <LinesFoot now={over === null && now ? now : null} isNoted={noted !== null} best={best}>
      <MoveNow
        move={made}
        marked={marked}
        now={now}
        isNoted={mistake === true}
        showBest={() => void add(marked?.before?.line ?? [], 1, path.slice(0, -1))}
        worst={worst && moves && named(moves, worst)}
        toWorst={() => {
          if (worst) toPly(worst.ply);
          showBoard();
        }}
      />
    </LinesFoot>
  );
  const isRunning = evaluated.whole === "running" && !isWhole;
  const isDrawn = isCharted && Object.keys({ ...evaluated.sketch, ...known }).length > 0;
  const parts: Parts = {
    steps: (
      <StepButtons
        first={() => go([])}
        back={() => go(path.slice(0, -1))}
        forward={() => go(forward(tree, path))}
        last={() => go(lastOf(analysis))}
        flip={flip}
      >
        <MoreMenu
          hasWays={!isPhone}
          mayPlay={mayPlay}
          analysis={analysis}
          game={game?.id ?? null}
          noteOf={noteOf}
          analyseAnew={noted && broughtIn(begun) ? () => analyseAnew(true) : null}
          fen={fen}
          address={pathOf({
            at: "analysis",
            ...(game && ply !== null ? { game: game.id, ply, fen: null } : { game: null, ply: null, fen }),
          })}
        />
      </StepButtons>
    ),
    toGame: game ? (
      <PageLink class="to-game" to={{ at: "game", id: game.id }}>
        {words.toGame}
      </PageLink>
    ) : (
      evaluable && <PlayedHere headers={analysis.headers} />
    ),
    evaluation: hasEvaluation && (
      <EvaluationPanel
        rejected={evaluated.rejected}
        now={now}
        best={best}
        legal={facts?.legal.length ?? null}
        position={position}
        place={path}
        bottom={bottom}
        noted={
          noted && (
            <PlayedHere headers={analysis.headers}>
              {hasWorth ? words.evaluation.noted : words.evaluation.notedMarks}
            </PlayedHere>
          )
        }
        over={over}
        note={mistake && <MistakeNote {...made} marked={marked} />}
        foot={!(isPhone && isLow) && foot}
        isUnfolded={isUnfolded}
        unfold={unfold}
        add={add}
      />
    ),
    none: !hasEvaluation && (
      <NoEvaluation isLoaded={isLoaded}>
        <PlayedHere headers={analysis.headers}>
          {!isLoaded ? (
            <OwnFinished />
          ) : (
            // On a phone the tabs say it.
            !isPhone && <p class="quiet">{words.evaluation.instead(instead.join(" · "))}</p>
          )}
        </PlayedHere>
      </NoEvaluation>
    ),
    facts: (
      <PositionFacts
        facts={facts}
        trouble={trouble}
        turn={position.turn}
        isStart={start === START_FEN && path.length === 0}
        isEnd={evaluable !== null && ply === moves?.plyCount}
        isEndSaid={over !== null && hasEvaluation}
      />
    ),
    actions: (
      <TreeActions
        mayPromote={canPromote(tree, path)}
        // What was played in the game stays: it cannot be put in again by hand, with its times.
        mayRemove={path.length > 0 && ply === null}
        promote={() => set(withPromotion)}
        remove={() => set(withoutMove)}
      />
    ),
    typed: <TypedMove position={position} place={path} facts={facts} play={play} />,
    moves: <MoveTree analysis={analysis} outcome={game?.outcome ?? null} marks={marks} took={took} go={go} />,
    whole: moves && hasEvaluation && (
      <WholeGame
        key={evaluable?.key}
        moves={moves}
        evaluated={noted ? { ...evaluated, known, whole: "done" } : evaluated}
        isWhole={isWhole}
        mistakes={mistakes}
        worst={worst}
        ply={ply}
        from={place?.ply ?? 0}
        step={toPly}
        toMistake={toMistake}
      />
    ),
    learn: evaluable && isCharted && (isWhole || isRunning) && (
      <LearnStart
        counts={{ white: tasks("white").length, black: tasks("black").length }}
        own={seat}
        isReady={isWhole}
        left={learning.left}
        settle={learning.settle}
        begin={(color) => learning.begin(color, tasks(color))}
      />
    ),
    chart: moves && hasEvaluation && isDrawn && (
      <EvaluationChart
        game={moves}
        known={known}
        sketch={evaluated.sketch}
        mistakes={mistakes}
        ply={ply}
        step={toPly}
      />
    ),
    counts: moves && hasEvaluation && isCharted && (
      <MistakeTable game={moves} known={known} mistakes={mistakes} isWhole={isWhole} />
    ),
    rule: hasMistakes && <MistakeRule />,
    times: moves && <TimeChart game={moves} known={known} ply={ply} step={toPly} />,
    explorer: !chess960 && <Explorer {...explored} />,
    exchange: (
      <Exchange
        turned={turned}
        bottom={bottom}
        fen={fen}
        chess960={chess960}
        mayPlay={mayPlay}
        isSettled={isSettled}
        anew={anew}
      />
    ),
    canMate: over === null && <CanMate facts={facts} add={add} />,
  };
  return (
    <main id="content" class={`game analysis ${isPhone ? "tabbed" : ""}`}>
      <h1 class="visually-hidden">
        {game ? words.ofGame(game.players.white.name, game.players.black.name) : words.title}
      </h1>
      <div class="board-column">
        {side(other(bottom))}
        <AnalysisBoard
          position={position}
          bottom={bottom}
          last={path.at(-1)}
          facts={facts}
          hints={hintsOf(position, noted ? null : now?.line[0]?.uci, marked && bestInstead(marked)?.uci)}
          beside={hasWorth && <EvaluationBar evaluation={now} bottom={bottom} />}
          ply={path.length}
          play={play}
          step={(by) => go(by > 0 ? forward(tree, path) : path.slice(0, -1))}
        />
        {side(bottom)}
      </div>
      <div class="side">
        {isPhone ? (
          <TabbedParts
            {...parts}
            foot={hasEvaluation && isLow && foot}
            isLoaded={isLoaded}
            hasMoves={begun.tree.length > 0}
            hasMistakes={hasMistakes}
            isAsked={evaluable !== null && !isWhole && !isRunning}
          />
        ) : (
          <ColumnParts
            {...parts}
            folded={moves && !chess960 && <FoldedExplorer {...explored} isOpen={isExplored} open={explore} />}
          />
        )}
      </div>
    </main>
  );
}

/** What stands low on the page and leads to a position brings the board into sight, after what that position changes. */
const showBoard = (): void => void requestAnimationFrame(boardIntoSight);

/** Moves nothing where it is in sight: below a finger everything stays. */
function boardIntoSight(): void {
  const frame = document.querySelector(".board-frame")?.getBoundingClientRect();
  if (frame && frame.top >= 0 && frame.bottom <= innerHeight) return;
  document.querySelector(".board-column")?.scrollIntoView({ block: "nearest" });
}

/**
 * What somebody unfolds comes into sight: it may be below the edge of the window. With the explorer the board does, which comes
 * before it: moves are played there.
 */
function showUnfolded({ target }: Event): void {
  const unfolded = target instanceof Element && target.closest("summary")?.parentElement;
  if (!(unfolded instanceof HTMLDetailsElement) || unfolded.open) return;
  const show = (): void => {
    unfolded.scrollIntoView({ block: "nearest" });
    if (unfolded.matches(".explorer")) boardIntoSight();
  };
  unfolded.addEventListener("toggle", show, { once: true });
}

/** The end of the game after which nothing can be played or asked; null in every other position. */
function endIn(facts: PositionAnalysis | null): OutcomeView | null {
  const outcome = facts?.outcome;
  return outcome && isNoMoveLeft(outcome) ? outcome : null;
}

/** A marked move of the game as it is named: by its number, in SAN and with its mark. */
function named(game: GameMoves, { ply, mark }: MarkedMove) {
  const before = positionsOn({ start: game.startFen, path: played(game, ply - 1) }).at(-1);
  return { number: before ? moveNumber(before) : "", san: game.plies[ply - 1]?.san ?? "", mark };
}
