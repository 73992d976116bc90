/**
 * The parts of an analysis that say what the computer thinks of the position shown and of the move that led there, or why nothing
 * is evaluated.
 */
import { START_FEN, moveNumber } from "../../chess/position";
import { type Analysis, positionsOn } from "../../state/analysis/analysis";
import type { MarkedMove } from "../../state/analysis/mistakes";
import type { GameMoves } from "../../state/analysis/times";
import { useText } from "../context";
import type { PartsProps } from "./AnalysisParts";
import { EvaluationPanel, NoEvaluation } from "./EvaluationPanel";
import { pathAt } from "./findings";
import { showBoard } from "./intoSight";
import { LinesFoot } from "./LinesFoot";
import { MistakeNote, MoveNow } from "./MoveNow";
import { OwnFinished } from "./OwnFinished";
import type { Parts } from "./parts";
import { PlayedHere } from "./PlayedHere";

type EvaluationParts = Pick<Parts, "evaluation" | "none" | "own" | "foot">;

interface Room {
  /** There is no room for the foot below the lines of a phone, so that a mistake has a note there. */
  readonly isLow: boolean;
  /** The list of moves has room for one's own last games before the first move. */
  readonly isWide: boolean;
}

export function evaluationParts(of: PartsProps, { isLow, isWide }: Room): EvaluationParts {
  const { shown, found, bottom, folds, isPhone } = of;
  const { analysis, position, facts, made, over, add } = shown;
  const { noted, evaluated, now, best, marked, hasEvaluation } = found;
  const note = isLow && made && marked && over === null && !noted && !folds.isUnfolded && (
    <MistakeNote {...made} marked={marked} />
  );
  const foot = hasEvaluation && <Foot {...of} isNoted={Boolean(note)} />;
  const isFootInTab = isPhone && isLow;
  return {
    evaluation: hasEvaluation && (
      <EvaluationPanel
        rejected={evaluated.rejected}
        now={now}
        best={best}
        legal={facts?.legal.length ?? null}
        position={position}
        place={analysis.path}
        bottom={bottom}
        noted={noted && <Noted {...of} />}
        over={over}
        note={note}
        foot={!isFootInTab && foot}
        isUnfolded={folds.isUnfolded}
        unfold={folds.unfold}
        add={add}
      />
    ),
    none: !hasEvaluation && <None {...of} hasOwn={!isWide} />,
    own: isWide && !hasEvaluation && analysis.tree.length === 0 && !isLoadedIn(of.begun) && (
      <div class="own-room">
        <OwnFinished />
      </div>
    ),
    foot: isFootInTab && foot,
  };
}

/** Below the lines. `isNoted`: a note nearer to the board says what was best. */
function Foot({ shown, found, toPly, isNoted }: PartsProps & { readonly isNoted: boolean }) {
  const { analysis, made, over, add } = shown;
  const { moves, noted, now, best, marked, worst } = found;
  return (
    <LinesFoot now={over === null && now ? now : null} isNoted={noted !== null} best={best}>
      <MoveNow
        move={made}
        marked={marked}
        now={now}
        isNoted={isNoted}
        showBest={() => void add(marked?.before?.line ?? [], 1, analysis.path.slice(0, -1))}
        worst={worst && moves && nameMarked(moves, worst)}
        toWorst={() => {
          if (worst) toPly(worst.ply);
          showBoard();
        }}
      />
    </LinesFoot>
  );
}

/** A marked move of the game as it is named: by its number, in SAN and with its mark. */
function nameMarked(game: GameMoves, { ply, mark }: MarkedMove) {
  const before = positionsOn({ start: game.startFen, path: pathAt(game, ply - 1) }).at(-1);
  return { number: before ? moveNumber(before) : "", san: game.plies[ply - 1]?.san ?? "", mark };
}

/** In the place of the lines: that the evaluations, or the marks alone, are those of a PGN. */
function Noted({ shown, found }: PartsProps) {
  const { evaluation: words } = useText().analysis;
  return <PlayedHere headers={shown.analysis.headers}>{found.hasWorth ? words.noted : words.notedMarks}</PlayedHere>;
}

/** That nothing is evaluated, and what there is instead. `hasOwn`: with one's own last games. */
function None({ begun, shown, isPhone, hasOwn }: PartsProps & { readonly hasOwn: boolean }) {
  const { evaluation, explorer, canMate } = useText().analysis;
  const { headers, chess960 } = shown.analysis;
  const isLoaded = isLoadedIn(begun);
  const instead = [...(chess960 ? [] : [explorer.title]), canMate.title].join(" · ");
  return (
    <NoEvaluation isLoaded={isLoaded}>
      <PlayedHere headers={headers}>
        {!isLoaded
          ? hasOwn && <OwnFinished />
          : // On a phone the tabs say it.
            !isPhone && <p class="quiet">{evaluation.instead(instead)}</p>}
      </PlayedHere>
    </NoEvaluation>
  );
}

/** Whether an analysis began with moves, or with a position that was set up. */
export const isLoadedIn = ({ tree, start }: Analysis): boolean => tree.length > 0 || start !== START_FEN;
