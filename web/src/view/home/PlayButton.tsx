/**
 * The main button of the home page: plays the usual time control, or where nobody waits for that one another of the same speed
 * for which somebody does, and says so; or says that one waits.
 *
 * A press does what the button says. What it says does not change while a pointer is on it or the keyboard has its focus there.
 * A finger comes without warning, so a press that follows a change at once does nothing.
 */
import { useRef, useState } from "preact/hooks";
import { openIn } from "../../state/openGames";
import { type Offer, othersIn, placeOf, poolToPlay, pressed, withOffer } from "../../state/pairing";
import { useApp, useStore, useText } from "../context";
import { countOf } from "./Pools";

/** `isSecond`: the form for a game is open, whose button is the first one. */
export function PlayButton({ isSecond }: { readonly isSecond: boolean }) {
  const store = useStore();
  const text = useText();
  const pairing = useApp((app) => app.pairing);
  const pools = useApp((app) => app.lobby?.pools) ?? {};
  const usual = useApp((app) => app.settings.pool);
  const open = useApp((app) => openIn(app, usual).length);
  const [, look] = useState({});
  const button = useRef<HTMLButtonElement>(null);
  const offer = useRef<Offer>({ pool: usual, since: 0 });
  const isWaiting = placeOf(pairing) !== null;
  if (isWaiting) offer.current = { pool: usual, since: 0 };
  else if (!button.current?.matches(":hover, :active, :focus-visible"))
    offer.current = withOffer(offer.current, open > 0 ? usual : poolToPlay(pairing, usual, pools), Date.now());
  const { pool } = offer.current;
  const count = isWaiting ? "" : countOf(text, othersIn(pairing, pool, pools), pool === usual ? open : 0);
  const press = (): void => {
    const meant = isWaiting ? null : pressed(offer.current, Date.now());
    if (meant !== null) store.joinPool(meant);
  };
  return (
    // Not disabled while one waits: a disabled button loses the focus.
    <button
      ref={button}
      type="button"
      id="play"
      class={`big two-part${isSecond && !isWaiting ? "" : " primary"}`}
      aria-disabled={isWaiting}
      onPointerLeave={() => look({})}
      onBlur={() => look({})}
      onClick={press}
    >
      <span>{isWaiting ? text.lobby.waitingNow : text.lobby.playPool(pool)}</span>
      {count && <span class="play-count">{count}</span>}
    </button>
  );
}
