/**
 * The main button of the home page: plays the usual time control, or where nobody waits for that one another of the same speed
 * for which somebody does, and says so; for whoever waits it ends the wait.
 *
 * A press does what the button says. What it offers to play does not change while a pointer is on it or the keyboard has its
 * focus there. A finger comes without warning, so a press that follows a change at once does nothing.
 */
import { useRef, useState } from "preact/hooks";
import { openIn } from "../../state/openGames";
import { type Offer, isRead, othersIn, placeOf, poolToPlay, withOffer } from "../../state/pairing";
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
  const isWaiting = placeOf(pairing) !== null;
  const offer = useRef<Offer>({ pool: isWaiting ? null : usual, since: 0 });
  const isOld = isWaiting !== (offer.current.pool === null);
  const next = isWaiting ? null : open > 0 ? usual : poolToPlay(pairing, usual, pools);
  if (isOld || !button.current?.matches(":hover, :active, :focus-visible"))
    offer.current = withOffer(offer.current, next, Date.now());
  const { pool } = offer.current;
  const count = pool === null ? "" : countOf(text, othersIn(pairing, pool, pools), pool === usual ? open : 0);
  const press = (): void => {
    if (!isRead(offer.current, Date.now())) return;
    if (pool === null) store.stopWaiting();
    else store.joinPool(pool);
  };
  return (
    <button
      ref={button}
      type="button"
      id="play"
      class={`big two-part${isSecond || isWaiting ? "" : " primary"}`}
      onPointerLeave={() => look({})}
      onBlur={() => look({})}
      onClick={press}
    >
      <span>{pool === null ? text.lobby.cancel : text.lobby.playPool(pool)}</span>
      {count && <span class="play-count">{count}</span>}
    </button>
  );
}
