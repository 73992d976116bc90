/**
 * Both clocks of an own game, one's own first, after whose move it is.
 *
 * They count down between messages, and are hidden from screen readers, for whom a link that changes its name with every
 * second has no use.
 */
import { type Game, shown } from "zeitnot-client";
import { type Color, other } from "../../chess/square";
import { TENTHS_BELOW_MS, writeClock } from "../../state/clock";
import { useNow } from "../now";

const TICK_MS = 250;
/** While tenths are shown. */
const FAST_TICK_MS = 100;

export function OwnClocks({ game: { clocks, control }, seat }: { readonly game: Game; readonly seat: Color }) {
  const left = control.kind === "clock" && clocks ? shown(clocks, performance.now()) : null;
  const running = left && clocks?.running ? left[clocks.running] : 0;
  useNow(running > 0, running < TENTHS_BELOW_MS ? FAST_TICK_MS : TICK_MS);
  if (!left) return null;
  return (
    <span class="own-clocks" aria-hidden="true">
      {` · ${writeClock(left[seat])} – ${writeClock(left[other(seat)])}`}
    </span>
  );
}
