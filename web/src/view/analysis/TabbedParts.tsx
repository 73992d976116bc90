/**
 * The parts of an analysis below its board on a phone that is held upright: the best lines and the buttons that step, which are
 * always there, and the others under tabs. The tab that was chosen stays open while one steps and analyses other games, until
 * this tab of the browser is closed; before a choice it is the moves, or without any, the explorer.
 */
import { useState } from "preact/hooks";
import { TABS, type Tab, keepTab, loadTab } from "../../net/keptTab";
import { useText } from "../context";
import { AnalysisTabs } from "./AnalysisTabs";
import type { Parts } from "./parts";

interface Props extends Parts {
  /** Whether something was loaded or set up: why it is not evaluated stands where the evaluation would. */
  readonly isLoaded: boolean;
  /** Whether there are moves from the start. */
  readonly hasMoves: boolean;
  /** Whether the mistakes of these moves are or will be known. */
  readonly hasMistakes: boolean;
  /** Whether they are not known yet, and the analysis of the whole game that finds them has not begun. */
  readonly isUnanalysed: boolean;
}

export function TabbedParts(parts: Props) {
  const { analysis: words } = useText();
  const [chosen, choose] = useState(() => loadTab(sessionStorage));
  const names: Readonly<Record<Tab, string>> = {
    moves: words.moves,
    explorer: words.tabs.explorer,
    mistakes: words.tabs.mistakes,
    position: words.position,
  };
  const isThere = (tab: Tab): boolean =>
    (tab !== "explorer" || Boolean(parts.explorer)) &&
    (tab !== "mistakes" || parts.hasMistakes || Boolean(parts.chart));
  const first: Tab = parts.hasMoves || !isThere("explorer") ? "moves" : "explorer";
  const open = chosen !== null && isThere(chosen) ? chosen : first;
  return (
    <div class="panels">
      {parts.evaluation}
      {parts.isLoaded && parts.none}
      <div class="controls">
        {parts.steps}
        {parts.whole}
      </div>
      <AnalysisTabs
        label={words.title}
        tabs={TABS.filter(isThere).map((tab) => ({ tab, name: names[tab] }))}
        open={open}
        choose={(tab) => {
          keepTab(sessionStorage, tab);
          choose(tab);
        }}
      >
        <Panel {...parts} tab={open} />
      </AnalysisTabs>
    </div>
  );
}

function Panel({ tab, ...parts }: Props & { readonly tab: Tab }) {
  const { learn } = useText().analysis;
  switch (tab) {
    case "moves":
      return (
        <>
          {parts.moves}
          {parts.foot}
          {parts.actions}
          {!parts.isLoaded && parts.none}
          {parts.typed}
          {parts.facts}
          {parts.times}
        </>
      );
    case "explorer":
      return (
        <>
          {parts.facts}
          {parts.explorer}
        </>
      );
    case "mistakes":
      return (
        <>
          {parts.isUnanalysed && <p>{learn.before}</p>}
          {parts.learn}
          {parts.chart}
          {parts.counts}
          {parts.rule}
        </>
      );
    default:
      return (
        <>
          {parts.exchange}
          {parts.facts}
          {parts.toGame}
          {parts.canMate}
        </>
      );
  }
}
