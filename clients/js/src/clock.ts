/**
 * What both clocks show at an instant, computed from the server's last figures.
 *
 * Instants are milliseconds of one steady clock, such as `performance.now()`. A message was true when it left the server, so `since` is its
 * arrival minus the time it travelled. Only `clock` states the lag compensation of the running turn; until it arrives,
 * that of the last moves is used.
 */
import type { Period, PlyView, TimeControl, WireBonus, WireColor } from "../../../protocol/bindings/protocol.js";

export interface Clocks {
  readonly white: number;
  readonly black: number;
  readonly running: WireColor | null;
  /** When the figures were true, on the clock of the caller. */
  readonly since: number;
  /** How long the running clock still stands: the rest of a simple delay and of the lag compensation. */
  readonly stands: number;
  /** Whether `since` was measured. Otherwise it is as wrong as its message was late, by a busy page or network. */
  readonly isMeasured: boolean;
}

/** Both clocks at `now`, never below 0. */
export function shown(clocks: Clocks, now: number): { readonly white: number; readonly black: number } {
  const { white, black, running } = clocks;
  if (!running) return { white, black };
  const gone = Math.max(0, now - clocks.since - clocks.stands);
  return running === "white"
    ? { white: Math.max(0, white - gone), black }
    : { white, black: Math.max(0, black - gone) };
}

/** The period of a side after so many own moves; a last one with `moves` repeats. */
export function periodAt(periods: readonly Period[], moved: number): Period | null {
  let left = moved;
  for (const period of periods) {
    if (period.moves === undefined || left < period.moves) return period;
    left -= period.moves;
  }
  return periods[periods.length - 1] ?? null;
}

export function periodsOf(control: TimeControl, color: WireColor): readonly Period[] {
  if (control.kind !== "clock") return [];
  return color === "black" && control.black_periods ? control.black_periods : control.periods;
}

/** What a side's clock showed before the first move; null without clocks. */
export function firstClock(control: TimeControl, color: WireColor): number | null {
  if (control.kind === "days") return control.days * 86_400_000;
  return periodsOf(control, color)[0]?.base_ms ?? null;
}

/** The simple delay of a side's turn in ms; a remedy overrides the time control. */
export function delayOf(control: TimeControl, color: WireColor, moved: number, remedy: WireBonus | undefined): number {
  if (remedy) return remedy.delay_ms ?? 0;
  return periodAt(periodsOf(control, color), moved)?.delay_ms ?? 0;
}

/** How many own moves the estimate is based on. */
const TELLING_MOVES = 3;

/** The expected lag compensation of the side to move: the maximum of its last moves. */
export function expectedCredit(plies: readonly PlyView[], plyCount: number): number {
  let most = 0;
  for (let ply = plyCount - 1; ply > plyCount - 1 - 2 * TELLING_MOVES; ply -= 2) {
    most = Math.max(most, plies[plies.length - 1 - (plyCount - ply)]?.credit ?? 0);
  }
  return most;
}
