/**
 * A challenge that comes during one's own game or an analysis, to answer at once: in the header, so that it covers no board.
 *
 * It takes no focus; the live region reads it out when it comes (`reducer/challenges`). The latest one is shown. One
 * that is hidden waits on the home page.
 */
import { useState } from "preact/hooks";
import { seatOf } from "zeitnot-client";
import type { App } from "../../state/app";
import { formatOf } from "../../text/terms";
import { useApp, useStore, useText } from "../context";
import { Icon } from "../Icon";

export function ChallengeToast() {
  const app = useApp();
  const store = useStore();
  const text = useText();
  const [hidden, hide] = useState<ReadonlySet<string>>(new Set());
  const [challenge] = challengesAside(app)
    .filter((one) => !hidden.has(one.challenge))
    .slice(-1);
  if (!challenge) return <span class="gap" />;
  const { challenge: id, by } = challenge;
  const isUnderWay = app.link.outbox.some(
    ({ message }) =>
      (message.t === "accept_challenge" || message.t === "decline_challenge") && message.d.challenge === id,
  );
  // The focus stays in the header, where the player has been.
  const leave = (act: () => void) => (event: MouseEvent | KeyboardEvent) => {
    const header = (event.currentTarget as Element).closest("header");
    act();
    header?.querySelector("a")?.focus({ preventScroll: true });
  };
  const dismiss = leave(() => hide(new Set([...hidden, id])));
  return (
    <section
      class="toast"
      aria-label={text.calls.toast}
      onKeyDown={(event) => event.key === "Escape" && dismiss(event)}
    >
      <p>
        <strong>{by.name}</strong> {formatOf(text, challenge)}
      </p>
      <button
        type="button"
        class="primary"
        aria-label={text.lobby.acceptFrom(by.name)}
        disabled={isUnderWay}
        onClick={leave(() => store.acceptChallenge(id))}
      >
        {text.lobby.accept}
      </button>
      <button
        type="button"
        aria-label={text.lobby.declineFrom(by.name)}
        disabled={isUnderWay}
        onClick={leave(() => store.send({ t: "decline_challenge", d: { challenge: id, reason: "later" } }))}
      >
        {text.lobby.decline}
      </button>
      <button type="button" class="plain" aria-label={text.calls.hide} title={text.calls.hide} onClick={dismiss}>
        <Icon name="close" />
      </button>
    </section>
  );
}

/** The challenges to a player at a board of their own; a rematch is answered on the page of its game. */
function challengesAside({ route, games, account, challenges }: App) {
  const here = route.at === "game" ? games[route.id] : undefined;
  const plays = here !== undefined && here.phase !== "ended" && seatOf(here, account) !== null;
  if (!plays && route.at !== "analysis") return [];
  return Object.values(challenges).filter((one) => one.by.account !== account && one.rematch_of !== (here?.id ?? null));
}
