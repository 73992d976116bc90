/**
 * The parts of an analysis beside its board, or below it in a window of one column that is no phone: all of them, one after the
 * other. Where each stands, analysisLayout.css says.
 */
import type { ComponentChildren } from "preact";
import type { Parts } from "./parts";

interface Props extends Parts {
  /** The explorer in the place beside a game, where it is folded at first; null without a game. */
  readonly folded: ComponentChildren;
}

export function ColumnParts(parts: Props) {
  return (
    <div class="panels">
      {parts.steps}
      {parts.toGame}
      {parts.evaluation}
      {parts.none}
      {parts.facts}
      <div class="entry">
        {parts.actions}
        {parts.typed}
      </div>
      <div class="tree-room">{parts.moves}</div>
      <div class="about">
        {parts.whole}
        {parts.learn}
        {parts.chart}
        {parts.counts}
        {parts.folded}
        {parts.exchange}
        {parts.times}
        {parts.rule}
        {parts.canMate}
        {!parts.folded && parts.explorer}
      </div>
    </div>
  );
}
