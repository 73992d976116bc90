/**
 * An analysis on the screen: the board with its players, and the parts around it (AnalysisParts.tsx), or in their place a lesson.
 *
 * Keeps what is the same on both sides of a lesson: which way the board is turned, and what is unfolded. The moves are those of
 * analysis.ts, and what is known of them comes from findings.ts.
 */
import { useState } from "preact/hooks";
import { type Game, seatOf } from "zeitnot-client";
import { type Color, other } from "../../chess/square";
import type { Analysis } from "../../state/analysis/analysis";
import { hintsOf } from "../../state/analysis/hints";
import { taskOf } from "../../state/analysis/learn";
import { bestInstead } from "../../state/analysis/mistakes";
import { forward } from "../../state/analysis/tree";
import { useApp, useStore, useText } from "../context";
import { useSettled } from "../settled";
import { type OpenAnalysis, useAnalysis } from "./analysis";
import { AnalysisBoard } from "./AnalysisBoard";
import { AnalysisParts } from "./AnalysisParts";
import { useAnnouncements } from "./announce";
import { EvaluationBar } from "./EvaluationBar";
import { type Findings, pathAt, useFindings } from "./findings";
import { useFolds } from "./folds";
import { useUnfoldedInSight } from "./intoSight";
import { useKeys } from "./keys";
import { useFound, useLearning } from "./learn";
import { LearnView } from "./LearnView";
import { usePhone } from "./phone";
import { Side } from "./Side";
import { useBegun } from "./WholeGame";

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
  const { analysis: words } = useText();
  const account = useApp((app) => app.account);
  const seat = game && seatOf(game, account);
  const [turned, turn] = useState(first);
  const bottom: Color = turned ?? seat ?? "white";
  const folds = useFolds();
  const isPhone = usePhone();
  const isSettled = useSettled(words.exchange.begin);
  const learning = useLearning();
  const { lesson } = learning;
  const shown = useAnalysis(game, begun);
  const { analysis, facts, go } = shown;
  const found = useFindings(game, begun, analysis, lesson !== null);
  const { moves, evaluable, isRunning } = found;
  useFound(learning, moves, found.mistakes);
  const toPly = (ply: number): void => go(pathAt(moves, ply));
  const toMistake = (by: 1 | -1): void => {
    const to = found.mistakeAt(by);
    if (to !== null) toPly(to);
  };
  const flip = (): void => turn(other(bottom));
  useFirstMistake(found, seat, begins, toPly);
  useKeys(analysis, { go, flip, toMistake }, lesson !== null);
  useAnnouncements(analysis, facts, found.now ?? null);
  useUnfoldedInSight();

  if (moves && evaluable && lesson) {
    // Back to the mistake, with all that there is to say of it.
    const leave = (): void => {
      learning.leave();
      toPly(taskOf(lesson).ply);
    };
    const { headers, chess960 } = analysis;
    const learned = {
      game,
      headers,
      own: seat,
      of: evaluable,
      moves,
      chess960,
      isGrowing: isRunning,
      isWhole: found.isWhole,
    };
    return <LearnView {...learned} lesson={lesson} change={learning.change} leave={leave} />;
  }
  const around = { game, begun, shown, found, seat, turned, bottom, learning, folds, isPhone, isSettled };
  return (
    <main id="content" class={`game analysis ${isPhone ? "tabbed" : ""}`}>
      <h1 class="visually-hidden">
        {game ? words.ofGame(game.players.white.name, game.players.black.name) : words.title}
      </h1>
      <BoardColumn game={game} bottom={bottom} found={found} shown={shown} />
      <div class="side">
        <AnalysisParts {...around} toPly={toPly} toMistake={toMistake} flip={flip} anew={anew} />
      </div>
    </main>
  );
}

/** Analyses the whole game at once where that is due, and shows the first mistake of one's own after it. */
function useFirstMistake(found: Findings, seat: Color | null, begins: boolean, toPly: (ply: number) => void): void {
  const store = useStore();
  const { whole } = useText().analysis;
  const { evaluated, mistakes, isWhole, isAnew } = found;
  const first = (): void => {
    const own = mistakes.find(({ color }) => color === seat);
    if (!own) return;
    toPly(own.ply);
    store.notice("info", whole.firstMistake);
  };
  useBegun({ ...evaluated, begins: begins || isAnew, isWhole, first });
}

interface BoardProps {
  readonly game: Game | null;
  readonly bottom: Color;
  readonly found: Findings;
  readonly shown: OpenAnalysis;
}

function BoardColumn({ game, bottom, found, shown }: BoardProps) {
  const { analysis, position, facts, go, play } = shown;
  const { moves, noted, now, marked, ply, hasWorth } = found;
  const { path, tree, headers } = analysis;
  const side = (color: Color) => (
    <Side game={game} moves={moves} headers={headers} color={color} ply={ply} position={position} />
  );
  return (
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
  );
}
