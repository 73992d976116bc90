/**
 * Which moves finished games went on with in a position. An answer is kept for as long as the page is open: it hardly changes.
 */
import type { PlayedMoves } from "#protocol";
import { type Answer, askJson } from "./ask";
import { KeptAnswers } from "./keptAnswers";

/** Each position has some kilobytes. */
const kept = new KeptAnswers<PlayedMoves>(300);

/** What is known without asking. */
export const knownMoves = (fen: string): PlayedMoves | null => kept.find(fen);

export async function askPlayedMoves(fen: string, left: AbortSignal): Promise<Answer<PlayedMoves>> {
  const known = knownMoves(fen);
  if (known) return { kind: "there", value: known };
  const answer = await askJson<PlayedMoves>(`/api/games/moves?fen=${encodeURIComponent(fen)}`, undefined, left);
  if (answer.kind === "there") kept.keep(fen, answer.value);
  return answer;
}
