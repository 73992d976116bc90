/**
 * What the rules say of the position shown: its opening, how a game would have ended here, and whether each side can
 * still checkmate, with the line or the reason that proves it.
 */
import type { CanMate } from "#protocol";
import type { Color } from "../../chess/square";
import { showProof, showResult } from "../../text/words";
import { useText } from "../context";
import type { Facts, Trouble } from "./position";

interface Props extends Facts {
  /** Adds the line of a proof after the position shown. */
  add(moves: readonly string[]): void;
}

export function PositionFacts({ facts, trouble, add }: Props) {
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
      {(["white", "black"] as const).map((side) => (
        <Side key={side} side={side} mate={facts?.can_mate[side] ?? null} add={add} />
      ))}
    </section>
  );
}

function troubleWords(analysis: ReturnType<typeof useText>["analysis"], trouble: Trouble): string {
  if (trouble.kind === "later") return analysis.later(trouble.seconds);
  if (trouble.kind === "failed") return analysis.failed;
  return analysis.exchange.badFen(trouble.message);
}

function Side({ side, mate, add }: { readonly side: Color; readonly mate: CanMate | null; add: Props["add"] }) {
  const text = useText();
  const { canMate } = text.analysis;
  const proof = mate?.proof;
  const line = typeof proof === "object" && "helpmate" in proof ? proof.helpmate : [];
  const answer = mate === null ? "…" : mate.can === null ? canMate.unknown : mate.can ? canMate.yes : canMate.no;
  return (
    <div class="can-mate">
      <p>
        {canMate.question(text.sides[side])} <strong>{answer}</strong>
        {mate?.can === false && proof !== undefined && <span class="quiet"> {showProof(text, proof)}</span>}
      </p>
      {line.length > 0 && (
        <button
          type="button"
          aria-label={`${canMate.question(text.sides[side])} ${canMate.show}`}
          onClick={() => add(line)}
        >
          {canMate.show}
        </button>
      )}
    </div>
  );
}
