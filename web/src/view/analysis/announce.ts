/** What a screen reader is told of an analysis: the move of each step, an end, a new opening, the evaluation. */
import { useEffect, useRef } from "preact/hooks";
import type { Evaluation, PositionAnalysis } from "#protocol";
import { type Analysis, positionsOn } from "../../state/analysis/analysis";
import { speakWorth } from "../../state/analysis/worth";
import { nodesOn } from "../../state/analysis/tree";
import type { Catalogue } from "../../text";
import { showResult, speakSan, speakUci } from "../../text/words";
import { useStore, useText } from "../context";

/** One sentence for all that is new, as what is known already comes at the same moment. */
export function useAnnouncements(
  analysis: Analysis,
  facts: PositionAnalysis | null,
  evaluation: Evaluation | null,
): void {
  const store = useStore();
  const text = useText();
  const place = analysis.path.join(" ");
  const told = useRef({ place, opening: "", facts: null as unknown, evaluation: null as unknown });
  useEffect(() => {
    const before = told.current;
    const opening = facts?.opening?.name ?? before.opening;
    const isNews = facts !== null && facts !== before.facts;
    told.current = { place, opening, facts, evaluation };
    const words = [
      place === before.place ? "" : moveWords(text, analysis),
      isNews ? endWords(text, facts) : "",
      opening === before.opening ? "" : opening,
      evaluation && evaluation !== before.evaluation ? worthWords(text, evaluation) : "",
    ].filter(Boolean);
    if (words.length > 0) store.say(words.join(". "));
  }, [place, facts, evaluation]);
}

function moveWords(text: Catalogue, analysis: Analysis): string {
  const node = nodesOn(analysis.tree, analysis.path).at(-1);
  const before = positionsOn({ ...analysis, path: analysis.path.slice(0, -1) }).at(-1);
  if (!node || !before || analysis.path.length === 0) return text.analysis.firstPosition;
  const move = node.san === null ? speakUci(text, node.uci, before) : speakSan(text, node.san);
  return text.announcements.move(text.sides[before.turn], move);
}

function endWords(text: Catalogue, { outcome }: PositionAnalysis): string {
  return outcome ? `${showResult(text, outcome, null)}: ${text.reasons[outcome.reason]}` : "";
}

function worthWords(text: Catalogue, evaluation: Evaluation): string {
  const [best] = evaluation.line;
  return [speakWorth(text, evaluation), best ? text.analysis.evaluation.best(speakSan(text, best.san)) : ""]
    .filter(Boolean)
    .join(". ");
}
