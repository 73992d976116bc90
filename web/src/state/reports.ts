/** What a report about a player says. Pure; the server checks it and copies the lines of the chat. */
import type { ChatRoom, GameId } from "#protocol";

export const REPORT_REASONS = ["cheating", "insults", "spam", "other"] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

/** The server's `LINES_MAX`. */
export const REPORT_LINES_MAX = 20;
/** The server's `TEXT_CHARS_MAX`. */
export const REPORT_CHARS_MAX = 1_000;

/** Where it happened, and what can be added to the report. */
export interface ReportPlace {
  readonly game: GameId;
  readonly room: ChatRoom;
}

/** The body of `POST /api/reports`. */
export interface Report extends Partial<ReportPlace> {
  readonly who: string;
  readonly reason: string;
  readonly text: string;
  readonly lines?: readonly number[];
}

/** `room` and `lines` go only with a game in which something was said. */
export function reportOf(
  who: string,
  reason: string,
  text: string,
  place: ReportPlace | null,
  lines: readonly number[],
): Report {
  const report: Report = { who, reason, text: text.trim() };
  if (!place) return report;
  return lines.length > 0 ? { ...report, ...place, lines } : { ...report, game: place.game };
}
