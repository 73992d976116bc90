/** The parts of an analysis that are about the whole of its game: its mistakes, what it was worth from move to move, its times. */
import type { Color } from "../../chess/square";
import { tasksOf } from "../../state/analysis/learn";
import type { PartsProps } from "./AnalysisParts";
import { EvaluationChart } from "./EvaluationChart";
import { LearnStart } from "./LearnStart";
import { MistakeRule } from "./MistakeRule";
import { MistakeTable } from "./MistakeTable";
import type { Parts } from "./parts";
import { TimeChart } from "./TimeChart";
import { WholeGame } from "./WholeGame";

type GameParts = Pick<Parts, "whole" | "learn" | "chart" | "counts" | "rule" | "times">;

export function gameParts({ found, seat, learning, toPly, toMistake }: PartsProps): GameParts {
  const { moves, noted, evaluable, evaluated, known, mistakes, worst, ply, from } = found;
  const { isWhole, isRunning, isCharted, hasEvaluation, hasMistakes } = found;
  const isDrawn = isCharted && Object.keys({ ...evaluated.sketch, ...known }).length > 0;
  const tasks = (color: Color) => (moves ? tasksOf(moves, mistakes, color) : []);
  // From the end of the game on, as they are found.
  const inOrder = (color: Color) => (isWhole ? tasks(color) : [...tasks(color)].reverse());
  return {
    whole: moves && hasEvaluation && (
      <WholeGame
        key={evaluable?.key}
        moves={moves}
        evaluated={noted ? { ...evaluated, known, whole: "done" } : evaluated}
        isWhole={isWhole}
        mistakes={mistakes}
        worst={worst}
        ply={ply}
        from={from}
        step={toPly}
        toMistake={toMistake}
      />
    ),
    learn: evaluable && isCharted && (isWhole || isRunning) && (
      <LearnStart
        counts={{ white: tasks("white").length, black: tasks("black").length }}
        own={seat}
        isWhole={isWhole}
        left={learning.left}
        settle={learning.settle}
        begin={(color) => learning.begin(color, inOrder(color))}
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
  };
}
