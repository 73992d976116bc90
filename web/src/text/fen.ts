/**
 * Why the server rejects a FEN, as a sentence in the language of a catalogue. Pure.
 *
 * Where the server names no reason, or one that is newer than this page, its own English message is the sentence.
 */
import type { FenReason } from "#protocol";
import type { Catalogue } from ".";

interface Rejected {
  readonly message: string;
  readonly reason: FenReason | null;
}

export function showBadFen({ fen, analysis }: Catalogue, { message, reason }: Rejected): string {
  const known: Readonly<Record<string, ((reason: never) => string) | undefined>> = fen;
  const words = reason && known[reason.kind]?.(reason as never);
  return words ? analysis.exchange.badFen(words) : message;
}
