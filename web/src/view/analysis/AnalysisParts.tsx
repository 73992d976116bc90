/**
 * The parts of an analysis beside or below its board: those of the position (positionParts.tsx), what the computer thinks of it
 * (evaluationParts.tsx), and those of the whole game (gameParts.tsx). On a phone they have tabs, elsewhere all stand at once.
 */
import type { Game } from "zeitnot-client";
import type { Color } from "../../chess/square";
import type { Analysis } from "../../state/analysis/analysis";
import type { OpenAnalysis } from "./analysis";
import { ColumnParts } from "./ColumnParts";
import { evaluationParts, isLoadedIn } from "./evaluationParts";
import { FoldedExplorer } from "./Explorer";
import type { Findings } from "./findings";
import type { Folds } from "./folds";
import { gameParts } from "./gameParts";
import type { Learning } from "./learn";
import type { Parts } from "./parts";
import { useLowPhone, useWide } from "./phone";
import { exploredOf, positionParts } from "./positionParts";
import { TabbedParts } from "./TabbedParts";

export interface PartsProps {
  /** Null if it was not played here. */
  readonly game: Game | null;
  /** The analysis as it was loaded. */
  readonly begun: Analysis;
  readonly shown: OpenAnalysis;
  readonly found: Findings;
  /** The side of the reader. */
  readonly seat: Color | null;
  /** The side at the bottom, if the player has turned the board. */
  readonly turned: Color | null;
  readonly bottom: Color;
  readonly learning: Learning;
  readonly folds: Folds;
  readonly isPhone: boolean;
  /** Whether no press can be aimed at what led to the page. */
  readonly isSettled: boolean;
  toPly(ply: number): void;
  toMistake(by: 1 | -1): void;
  flip(): void;
  /** Begins with what is loaded, though the address stays. */
  anew(): void;
}

export function AnalysisParts(of: PartsProps) {
  const { begun, shown, found, folds, isPhone } = of;
  const { moves, evaluable, hasMistakes, isWhole, isRunning } = found;
  const isLow = useLowPhone();
  const isWide = useWide();
  const parts: Parts = { ...positionParts(of), ...evaluationParts(of, { isLow, isWide }), ...gameParts(of) };
  if (isPhone) {
    return (
      <TabbedParts
        {...parts}
        isLoaded={isLoadedIn(begun)}
        hasMoves={begun.tree.length > 0}
        hasMistakes={hasMistakes}
        isUnanalysed={evaluable !== null && !isWhole && !isRunning}
      />
    );
  }
  const folded = moves && !shown.analysis.chess960 && (
    <FoldedExplorer {...exploredOf(of)} isOpen={folds.isExplored} open={folds.explore} />
  );
  return <ColumnParts {...parts} folded={folded} />;
}
