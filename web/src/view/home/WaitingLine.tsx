/**
 * The state of the place in a pool: joining, waiting, waiting alone, or connection lost; and that one waits with an open game.
 *
 * The text is a status and read out when it changes; the elapsed time is not. One line, and a second one for what is offered
 * besides where both do not fit into one.
 */
import { type ComponentChildren, toChildArray } from "preact";
import { type App, isCutOff } from "../../state/app";
import { ownOpenGames } from "../../state/openGames";
import { placeOf } from "../../state/pairing";
import type { Catalogue } from "../../text";
import { showControl } from "../../text/words";
import { NotifyMe } from "../calls/NotifyMe";
import { useApp, useStore, useText } from "../context";
import { useNow } from "../now";

interface Props {
  /** Said after what is waited for. */
  readonly more?: string;
  /** The same with seconds that run down: shown in its place, and not read out each time. */
  readonly counted?: string | null;
  /** What else one may do. */
  readonly children?: ComponentChildren;
}

export function WaitingLine({ more = "", counted = null, children }: Props) {
  const app = useApp();
  const store = useStore();
  const text = useText();
  const words = waitingWords(app, text);
  const { pool, listedAt } = app.pairing;
  const since = placeOf(app.pairing) === null ? listedAt : pool !== null ? app.pairing.since : null;
  const hasTwo = toChildArray(children).length > 1;
  const leave = (): void => {
    store.stopWaiting();
    // The button goes away, and the focus with it.
    document.getElementById("play")?.focus();
  };
  return (
    <div class="waiting-line">
      <div class="waiting-for">
        {words && <span class="pulse" aria-hidden="true" />}
        {words && since !== null && <Elapsed since={since} />}
        <p role="status">{words}</p>
        {words && <NotifyMe brief />}
        {words && (
          <button type="button" class="cancel" aria-label={text.lobby.cancel} onClick={leave}>
            <span class="whole-word">{text.lobby.cancel}</span>
            <span class="short-word">{text.lobby.stop}</span>
          </button>
        )}
      </div>
      <div class={words && more ? (hasTwo ? "offers some two" : "offers some") : "offers"}>
        <p role="status">
          {words && <span class={counted ? "visually-hidden" : ""}>{more}</span>}
          {words && counted && <span aria-hidden="true">{counted}</span>}
        </p>
        {words && children}
      </div>
    </div>
  );
}

/** Empty while one waits for nothing. */
export function waitingWords(app: App, text: Catalogue): string {
  const { pairing, link } = app;
  const { wanted, pool } = pairing;
  // Creating a guest account opens a new connection; none was lost. Nor was one after a reload.
  const isFirst = link.outbox.some(({ message, tries }) => message.t === "join_pool" && tries === 0);
  if (isCutOff(app) && wanted !== null && !isFirst) return text.lobby.waitingLost(wanted);
  if (wanted !== null && wanted !== pool) return text.lobby.joining(wanted);
  const place = placeOf(pairing);
  const open = ownOpenGames(app).map((game) => showControl(text, game.time_control));
  const all = place === null ? open : [place, ...open];
  return all.length === 0 ? "" : text.lobby.waiting([...new Set(all)].join(", "));
}

function Elapsed({ since }: { since: number }) {
  const seconds = Math.max(0, Math.floor((useNow(true) - since) / 1000));
  return (
    <span class="quiet elapsed" aria-hidden="true">
      {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, "0")}
    </span>
  );
}
