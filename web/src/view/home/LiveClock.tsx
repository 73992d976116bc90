/**
 * The clock of a side beside a small board; counts down between messages.
 *
 * Hidden from screen readers, for whom a link that changes its name with every second has no use.
 */
import type { LiveGame } from "#protocol";
import type { Color } from "../../chess/square";
import { TENTHS_BELOW_MS, writeClock } from "../../state/clock";
import { liveClock } from "../../state/lobby";
import { useApp } from "../context";
import { useNow } from "../now";

const TICK_MS = 250;
/** While tenths are shown. */
const FAST_TICK_MS = 100;

export function LiveClock({ game, side }: { game: LiveGame; side: Color }) {
  const liveAt = useApp((app) => app.lobby?.liveAt ?? 0);
  const left = liveClock(game, side, liveAt, performance.now());
  const runs = game.running === side;
  useNow(runs && left !== 0, left !== null && left < TENTHS_BELOW_MS ? FAST_TICK_MS : TICK_MS);
  if (left === null) return null;
  return (
    <span class={runs ? "live-clock running" : "live-clock"} aria-hidden="true">
      {writeClock(left)}
    </span>
  );
}
