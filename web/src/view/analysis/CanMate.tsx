/** Whether each side can still checkmate in the position shown, with the line or the reason that proves it; folded. */
import type { CanMate as Answer, PositionAnalysis } from "#protocol";
import type { Color } from "../../chess/square";
import type { NewMove } from "../../state/analysis/tree";
import { showProof } from "../../text/words";
import { useText } from "../context";

interface Props {
  readonly facts: PositionAnalysis | null;
  /** Adds the line of a proof after the position shown. */
  add(moves: readonly NewMove[]): void;
}

export function CanMate({ facts, add }: Props) {
  const { canMate } = useText().analysis;
  return (
    <details class="share">
      <summary>{canMate.title}</summary>
      {(["white", "black"] as const).map((side) => (
        <Side key={side} side={side} mate={facts?.can_mate[side] ?? null} add={add} />
      ))}
    </details>
  );
}

function Side({ side, mate, add }: { readonly side: Color; readonly mate: Answer | null; add: Props["add"] }) {
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
        {mate?.can === null && <span class="quiet"> {canMate.unknownAbout}</span>}
      </p>
      {line.length > 0 && (
        <button
          type="button"
          aria-label={`${canMate.question(text.sides[side])} ${canMate.show}`}
          onClick={() => add(line.map((uci) => ({ uci, isHelp: true })))}
        >
          {canMate.show}
        </button>
      )}
    </div>
  );
}
