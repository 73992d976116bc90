/**
 * Asks the server about positions: what the rules say of any, and what the computer thinks of those of a game that is over and
 * of lines that leave it.
 *
 * What the rules say of a position does not change, so it is kept while the page is open.
 */
import type { BestLines, Evaluation, KnownEvaluations, PositionAnalysis } from "#protocol";
import type { Place } from "../state/analysis/analysis";
import type { Effort } from "../state/analysis/bestLines";
import type { Evaluable } from "../state/analysis/evaluable";
import { type Answer, askJson } from "./ask";
import { type Somebody, asSomebody } from "./asSomebody";
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

/**
 * About a position of a game, or of a line that leaves it. But for the positions of a game that was finished here only an account
 * is answered: the server has to know that it plays no game.
 */
function askAbout<T>(
  who: Somebody,
  of: Evaluable,
  place: Place,
  what: "evaluation" | "lines" | "lines/deeper",
  signal?: AbortSignal,
): Promise<Answer<T>> {
  const ask = (): Promise<Answer<T>> => {
    if (of.kind === "game") return askJson(`/api/games/${of.key}/${what}${queryOf(place)}`, undefined, signal);
    const { start, chess960, moves, result } = of;
    const body = { start, chess960, moves, result, ply: place.ply, aside: place.moves };
    return askJson(`/api/analysis/${what}`, body, signal);
  };
  return of.kind === "brought" || place.moves.length > 0 ? asSomebody(who, ask) : ask();
}

/** It names the game by its key: the server has another name for a game that was brought along. */
export async function askEvaluation(who: Somebody, of: Evaluable, place: Place): Promise<Answer<Evaluation>> {
  const answer = await askAbout<Evaluation>(who, of, place, "evaluation");
  return answer.kind === "there" ? { ...answer, value: { ...answer.value, game: of.key } } : answer;
}

/**
 * What the server remembers of the positions of a game, without a search; nothing if it does not answer, and of a game that was
 * brought along.
 */
export async function askKnownEvaluations({ kind, key }: Evaluable): Promise<readonly Evaluation[]> {
  if (kind === "brought") return [];
  const answer = await askJson<KnownEvaluations>(`/api/games/${key}/evaluations`);
  return answer.kind === "there" ? answer.value.evaluations : [];
}

/** The best lines, after a search that ends when the signal says so. */
export function askLines(
  who: Somebody,
  of: Evaluable,
  place: Place,
  effort: Effort,
  signal: AbortSignal,
): Promise<Answer<BestLines>> {
  return askAbout(who, of, place, effort === "deeper" ? "lines/deeper" : "lines", signal);
}
