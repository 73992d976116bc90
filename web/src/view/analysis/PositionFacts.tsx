/** What the rules say of the position shown: its opening, whose turn it is, and how a game would have ended here. */
import { showResult } from "../../text/words";
import { useText } from "../context";
import type { Facts, Trouble } from "./position";

export function PositionFacts({ facts, trouble }: Facts) {
  const text = useText();
  const { analysis } = text;
  const opening = facts?.opening;
  const outcome = facts?.outcome;
  return (
    <section class="facts" aria-label={analysis.position}>
      <p class="opening" lang={opening ? "en" : text.tag}>
        {opening ? analysis.opening(opening.eco, opening.name) : facts ? analysis.noOpening : ""}
      </p>
      <p class="standing">
        {trouble
          ? troubleWords(analysis, trouble)
          : outcome
            ? `${showResult(text, outcome, null)}: ${text.reasons[outcome.reason]}`
            : facts
              ? [
                  text.game.toMove(text.sides[facts.fen.split(" ")[1] === "b" ? "black" : "white"]),
                  facts.check ? analysis.check : "",
                  facts.claims?.length
                    ? analysis.claims(facts.claims.map((claim) => text.reasons[claim]).join(", "))
                    : "",
                ]
                  .filter(Boolean)
                  .join(" · ")
              : analysis.asking}
      </p>
    </section>
  );
}

function troubleWords(analysis: ReturnType<typeof useText>["analysis"], trouble: Trouble): string {
  if (trouble.kind === "later") return analysis.later(trouble.seconds);
  if (trouble.kind === "failed") return analysis.failed;
  return analysis.exchange.badFen(trouble.message);
}
