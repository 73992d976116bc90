/** Which moves finished games went on with in a position. An answer is kept for as long as the page is open: it hardly changes. */
import type { PlayedMoves } from "#protocol";
import { type Answer, askJson } from "./ask";

/** Positions whose answers are kept; each has some kilobytes. */
const KEPT = 300;
const kept = new Map<string, PlayedMoves>();

/** What is known without asking. */
export const knownMoves = (fen: string): PlayedMoves | null => kept.get(fen) ?? null;

export async function askPlayedMoves(fen: string, left: AbortSignal): Promise<Answer<PlayedMoves>> {
  const answer = await askJson<PlayedMoves>(`/api/games/moves?fen=${encodeURIComponent(fen)}`, undefined, left);
  if (answer.kind === "there") {
    const [oldest] = kept.keys();
    if (kept.size >= KEPT && oldest !== undefined) kept.delete(oldest);
    kept.set(fen, answer.value);
  }
  return answer;
}
