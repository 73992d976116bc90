/** What the computer thinks of the position shown: a bar, the score, the best line, and the scores seen so far. */
import type { Evaluation } from "#protocol";
import { shareOf, showScore, speakScore } from "../../state/analysis/score";
import { showSan, speakSan } from "../../text/words";
import { useText } from "../context";
import type { Evaluations } from "./evaluation";

interface Props {
  readonly known: Evaluations;
  /** The ply shown; null in a line that was not played. */
  readonly ply: number | null;
  /** The plies of the game. */
  readonly plies: number;
  add(moves: readonly string[]): void;
}

export function EvaluationPanel({ known, ply, plies, add }: Props) {
  const text = useText();
  const { evaluation: words } = text.analysis;
  const now = ply === null ? undefined : known[ply];
  return (
    <section class="evaluation" aria-label={words.title}>
      <Bar share={now ? shareOf(now) : null} />
      <p>
        {ply === null ? (
          <span class="quiet">{words.onlyGame}</span>
        ) : now ? (
          <>
            <strong aria-hidden="true">{showScore(now)}</strong>
            <span class="visually-hidden">{speakScore(text, now)}</span>{" "}
            <span class="quiet">{words.depth(now.depth)}</span>
          </>
        ) : (
          <span class="quiet">{words.asking}</span>
        )}
      </p>
      {now && now.line.length > 0 && <BestLine evaluation={now} add={add} />}
      {Object.keys(known).length > 1 && <Graph known={known} ply={ply} plies={plies} />}
    </section>
  );
}

/** White's share from the left. */
function Bar({ share }: { readonly share: number | null }) {
  return (
    <svg class="evaluation-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect class="for-black" width="100" height="4" />
      {share !== null && <rect class="for-white" width={100 * share} height="4" />}
      <path class="even" d="M50 0v4" />
    </svg>
  );
}

function BestLine({ evaluation, add }: { readonly evaluation: Evaluation; add: Props["add"] }) {
  const text = useText();
  const { evaluation: words } = text.analysis;
  const sans = evaluation.line.map(({ san }) => san);
  return (
    <div class="best-line">
      <p>
        <span aria-hidden="true">{words.best(sans.map((san) => showSan(text, san)).join(" "))}</span>
        <span class="visually-hidden">{words.best(sans.map((san) => speakSan(text, san)).join(", "))}</span>
      </p>
      <button type="button" onClick={() => add(evaluation.line.map(({ uci }) => uci))}>
        {words.add}
      </button>
    </div>
  );
}

/** White's share over the plies that were looked at. */
function Graph({ known, ply, plies }: Omit<Props, "add">) {
  const { evaluation: words } = useText().analysis;
  const points = Object.entries(known).map(([at, evaluation]) => [Number(at), 1 - shareOf(evaluation)] as const);
  points.sort(([a], [b]) => a - b);
  const line = points.map(([at, y]) => `${at} ${(y * 20).toFixed(2)}`).join("L");
  return (
    <svg
      class="evaluation-graph"
      viewBox={`0 0 ${Math.max(1, plies)} 20`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words.graph}
    >
      <path class="even" d={`M0 10h${plies}`} />
      <path class="scores" d={`M${line}`} />
      {ply !== null && <path class="here" d={`M${ply} 0v20`} />}
    </svg>
  );
}
