/**
 * Asks the server about positions: what the rules say of any, and what the computer thinks of a finished game's and of
 * lines that leave it.
 *
 * What the rules say of a position does not change, so it is kept while the page is open.
 */
import type { BestLines, Evaluation, GameId, KnownEvaluations, PositionAnalysis } from "#protocol";
import type { Place } from "../state/analysis/analysis";
import type { Effort } from "../state/analysis/bestLines";
import { type Answer, askJson } from "./ask";
import { KeptAnswers } from "./keptAnswers";

/** A position, by the moves that lead there, in UCI or SAN. */
export interface Line {
  readonly start: string;
  readonly chess960: boolean;
  readonly moves: readonly string[];
}

/** Each position has some kilobytes. */
const kept = new KeptAnswers<PositionAnalysis>(1_000);

const keyOf = ({ start, chess960, moves }: Line): string => `${chess960} ${start} ${moves.join(" ")}`;

/** What is known of a position without asking. */
export function knownPosition(line: Line): PositionAnalysis | null {
  return kept.find(keyOf(line));
}

export async function askPosition(line: Line): Promise<Answer<PositionAnalysis>> {
  const known = knownPosition(line);
  if (known) return { kind: "there", value: known };
  const answer = await askJson<PositionAnalysis>("/api/analysis/position", line);
  if (answer.kind === "there") kept.keep(keyOf(line), answer.value);
  return answer;
}

const queryOf = ({ ply, moves }: Place): string => `?ply=${ply}${moves.length > 0 ? `&moves=${moves.join(",")}` : ""}`;

export function askEvaluation(game: GameId, place: Place): Promise<Answer<Evaluation>> {
  return askJson<Evaluation>(`/api/games/${game}/evaluation${queryOf(place)}`);
}

/** What the server remembers of the positions of a game, without a search; nothing if it does not answer. */
export async function askKnownEvaluations(game: GameId): Promise<readonly Evaluation[]> {
  const answer = await askJson<KnownEvaluations>(`/api/games/${game}/evaluations`);
  return answer.kind === "there" ? answer.value.evaluations : [];
}

/** The best lines, after a search that ends when the signal says so. */
export function askLines(game: GameId, place: Place, effort: Effort, signal: AbortSignal): Promise<Answer<BestLines>> {
  const path = `/api/games/${game}/lines${effort === "deeper" ? "/deeper" : ""}`;
  return askJson<BestLines>(path + queryOf(place), undefined, signal);
}
