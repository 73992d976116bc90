/**
 * What the rules say of the position shown: its opening, whose turn it is, and how a game would have ended here. How
 * the game has ended whose last position it is, the list of moves says; a checkmate or stalemate, the evaluation beside it.
 *
 * Until the answer is there the opening is that of the position before: nothing flickers while one steps.
 */
import { useRef } from "preact/hooks";
import type { Color } from "../../chess/square";
import type { Catalogue } from "../../text";
import { showBadFen } from "../../text/fen";
import { showResult } from "../../text/words";
import { useText } from "../context";
import type { Facts, Trouble } from "./position";

interface Props extends Facts {
  readonly turn: Color;
  /** Whether it is the one in which chess begins. */
  readonly isStart: boolean;
  /** Whether a game has ended here. */
  readonly isEnd: boolean;
  /** Whether the evaluation says how. */
  readonly isEndSaid: boolean;
}

export function PositionFacts({ facts, trouble, turn, isStart, isEnd, isEndSaid }: Props) {
  const text = useText();
  const { analysis } = text;
  const last = useRef(facts);
  last.current = facts ?? last.current;
  const opening = last.current?.opening;
  return (
    <section class="facts" aria-label={analysis.position} aria-busy={facts === null && trouble === null}>
      <p class="opening" lang={opening ? "en" : text.tag}>
        {opening ? analysis.opening(opening.eco, opening.name) : isStart ? analysis.startPosition : ""}
      </p>
      <p class="standing">
        {trouble ? troubleWords(text, trouble) : isEndSaid ? "" : isEnd ? analysis.ended : standing(text, facts, turn)}
      </p>
    </section>
  );
}

/** How the game would have ended here, or whose turn it is and what is special about it. */
function standing(text: Catalogue, facts: Facts["facts"], turn: Color): string {
  const { analysis, game, reasons, sides } = text;
  const outcome = facts?.outcome;
  if (outcome) return `${showResult(text, outcome, null)}: ${reasons[outcome.reason]}`;
  const claims = facts?.claims?.map((claim) => reasons[claim]).join(", ");
  return [game.toMove(sides[turn]), facts?.check ? analysis.check : "", claims ? analysis.claims(claims) : ""]
    .filter(Boolean)
    .join(" · ");
}

function troubleWords(text: Catalogue, trouble: Trouble): string {
  if (trouble.kind === "later") return text.analysis.later(trouble.seconds);
  if (trouble.kind === "failed") return text.analysis.failed;
  return showBadFen(text, trouble);
}
