/**
 * How a clock is written, which remaining times are read out, and what is said of lag compensation. What the clocks show is
 * `zeitnot-client`'s.
 */
import { type Game, turnOf } from "zeitnot-client";
import type { Color } from "../chess/square";

/** Below this a clock shows tenths. */
export const TENTHS_BELOW_MS = 20_000;

/** `1:02:03`, `3:00`, or `19.4` when little is left. Rounds up, so that 0 means the flag. */
export function writeClock(ms: number): string {
  if (ms < TENTHS_BELOW_MS) {
    const tenths = Math.ceil(ms / 100);
    return `${Math.floor(tenths / 10)}.${tenths % 10}`;
  }
  const seconds = Math.ceil(ms / 1000);
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3600);
  const pad = (n: number): string => String(n).padStart(2, "0");
  const rest = `${pad(Math.floor((seconds % 3600) / 60))}:${pad(seconds % 60)}`;
  if (days) return `${days}d ${pad(hours)}:${rest}`;
  return hours ? `${hours}:${rest}` : rest.replace(/^0(?=\d:)/u, "");
}

/** How long the text of a clock gets, and so how large its digits can be: `9:59`, `59:59`, `9:59:59`, or with days. */
export function clockLength(ms: number): "minutes" | "tens" | "hours" | "days" {
  if (ms >= 86_400_000) return "days";
  if (ms >= 3_600_000) return "hours";
  return ms >= 600_000 ? "tens" : "minutes";
}

/** The remaining times that are announced, in ms. */
export const SPOKEN_AT_MS = [60_000, 30_000, 10_000] as const;

/** The mark between two readings of a clock, the lowest if several. */
export function passed(before: number, after: number): number | null {
  let mark: number | null = null;
  for (const at of SPOKEN_AT_MS) if (before > at && after <= at) mark = at;
  return mark;
}

/** Every connection has some lag: less than this changes nothing that a player could see or do. */
const CREDIT_SHOWN_FROM_MS = 100;

/** What a side's last move was forgiven, in ms, until the other side has moved; null if it is too little to be told. */
export function creditToShow({ phase, plies, fen }: Game, color: Color): number | null {
  const credit = plies.at(-1)?.credit ?? 0;
  return phase === "playing" && turnOf(fen) !== color && credit >= CREDIT_SHOWN_FROM_MS ? credit : null;
}
