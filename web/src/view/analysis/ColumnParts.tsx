/**
 * The parts of an analysis beside its board, or below it in a window of one column that is no phone: all of them, one after the
 * other. Where each stands, analysisLayout.css says: the boxes here are those of a wide window.
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
      <div class="strip">
        {parts.steps}
        {parts.typed}
        {parts.toGame}
      </div>
      {parts.evaluation}
      {parts.none}
      <div class="here">
        {parts.facts}
        {parts.actions}
      </div>
      <div class="tree-room">
        {parts.moves}
        {parts.own}
      </div>
      <div class="about">
        {parts.whole}
        {parts.learn}
        {parts.counts}
        {parts.folded || parts.explorer}
        {parts.times}
        {parts.rule}
        {parts.canMate}
      </div>
      {parts.chart}
      {parts.exchange}
    </div>
  );
}
