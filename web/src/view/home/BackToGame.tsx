/**
 * The way back to an own game whose clocks run: the first thing to do on the home page as long as there is one.
 *
 * Its clock counts down between messages, and is hidden from screen readers, for whom a link that changes its name with every
 * second has no use.
 */
import { type Game, seatOf, shown } from "zeitnot-client";
import { TENTHS_BELOW_MS, writeClock } from "../../state/clock";
import { useApp, useText } from "../context";
import { PageLink } from "../HomeLink";
import { useNow } from "../now";

const TICK_MS = 250;
/** While tenths are shown. */
const FAST_TICK_MS = 100;

export function BackToGame({ game }: { readonly game: Game }) {
  const { home } = useText();
  return (
    <PageLink class="button primary big two-part" to={{ at: "game", id: game.id }}>
      <span>{home.backToGame}</span>
      <OwnClock game={game} />
      {game.turn && <span class="visually-hidden">, {home.yourMove}</span>}
    </PageLink>
  );
}

function OwnClock({ game }: { readonly game: Game }) {
  const seat = useApp((app) => seatOf(game, app.account));
  const { clocks } = game;
  const left = clocks && seat && shown(clocks, performance.now())[seat];
  const runs = clocks !== null && clocks.running === seat;
  useNow(runs && left !== 0, left !== null && left < TENTHS_BELOW_MS ? FAST_TICK_MS : TICK_MS);
  if (left === null) return null;
  return <span aria-hidden="true">· {writeClock(left)}</span>;
}
