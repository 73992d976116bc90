/**
 * The main button of the home page: plays the usual time control, or where nobody waits for that one another of the same speed
 * for which somebody does, and says so; for whoever waits it ends the wait. Beside it stands a pool of another speed, where
 * somebody waits only there.
 *
 * A press does what a button says. What is offered to play does not change while a pointer is there or the keyboard has its
 * focus there. A finger comes without warning, so a press that follows a change at once does nothing; nor does the second press
 * of a double tap end the wait.
 */
import { useRef, useState } from "preact/hooks";
import { openIn } from "../../state/openGames";
import { type Offer, isRead, othersIn, placeOf, poolToPlay, waitedForBeside, withOffer } from "../../state/pairing";
import { useApp, useStore, useText } from "../context";
import { countOf } from "./Pools";

/** `isSecond`: the form for a game is open, whose button is the filled one; this one keeps a part of the colour. */
export function PlayButton({ isSecond }: { readonly isSecond: boolean }) {
  const store = useStore();
  const text = useText();
  const pairing = useApp((app) => app.pairing);
  const pools = useApp((app) => app.lobby?.pools) ?? {};
  const usual = useApp((app) => app.settings.pool);
  const open = useApp((app) => openIn(app, usual).length);
  const [, look] = useState({});
  const row = useRef<HTMLDivElement>(null);
  const isWaiting = placeOf(pairing) !== null;
  const offer = useRef<Offer>({ pool: isWaiting ? null : usual, since: 0 });
  const beside = useRef<Offer>({ pool: null, since: 0 });
  const isOld = isWaiting !== (offer.current.pool === null);
  const next = isWaiting ? null : open > 0 ? usual : poolToPlay(pairing, usual, pools);
  if (isOld || !row.current?.matches(":hover, :active, :has(:focus-visible)")) {
    offer.current = withOffer(offer.current, next, Date.now());
    const other = next === null || open > 0 ? null : waitedForBeside(pairing, next, pools);
    beside.current = withOffer(beside.current, other, Date.now());
  }
  const { pool } = offer.current;
  const count = pool === null ? "" : countOf(text, othersIn(pairing, pool, pools), pool === usual ? open : 0);
  const other = beside.current.pool;
  const press = (pressed: Offer): void => {
    // Either button has moved when the other one changes.
    if (![offer.current, beside.current].every((one) => isRead(one, Date.now()))) return;
    if (pressed.pool === null) store.stopWaiting();
    else store.joinPool(pressed.pool);
  };
  return (
    <div ref={row} class="play-row" onPointerLeave={() => look({})} onFocusOut={() => look({})}>
      <button
        type="button"
        id="play"
        class={`big two-part${isWaiting ? "" : isSecond ? " second" : " primary"}`}
        onClick={() => press(offer.current)}
      >
        <span>{pool === null ? text.lobby.cancel : text.lobby.playPool(pool)}</span>
        {count && <span class="play-count">{count}</span>}
      </button>
      {other && (
        <button type="button" class="big two-part play-beside" onClick={() => press(beside.current)}>
          <span>{text.lobby.playPool(other)}</span>
          <span class="play-count">{text.lobby.waitingCount(othersIn(pairing, other, pools))}</span>
        </button>
      )}
    </div>
  );
}
