/**
 * The state of the place in a pool: joining, waiting, or connection lost.
 *
 * The text is a status and read out when it changes; the elapsed time is not.
 */
import { useEffect, useState } from "preact/hooks";
import type { App } from "../../state/app";
import type { Catalogue } from "../../text";
import { useApp, useStore, useText } from "../context";

/** `otherwise` is shown without a pool. */
export function WaitingLine({ otherwise = "" }: { otherwise?: string }) {
  const app = useApp();
  const store = useStore();
  const text = useText();
  const words = waitingWords(app, text);
  return (
    <div class={words ? "waiting-line" : "waiting-line none"}>
      {words && <span class="pulse" aria-hidden="true" />}
      <p>
        <span role="status">{words}</span>
        {!words && <span class="quiet">{otherwise}</span>}
        {words && app.pairing.pool !== null && <Elapsed since={app.pairing.since} />}
      </p>
      {words && (
        <button type="button" onClick={() => store.leavePool()}>
          {text.lobby.cancel}
        </button>
      )}
    </div>
  );
}

/** Empty without a pool. */
export function waitingWords({ pairing, link }: App, text: Catalogue): string {
  const { wanted, pool } = pairing;
  // Creating a guest account opens a new connection; none was lost.
  const isFirst = link.outbox.some(({ message, tries }) => message.t === "join_pool" && tries === 0);
  if (link.phase !== "open" && link.phase !== "slow" && wanted !== null && !isFirst)
    return text.lobby.waitingLost(wanted);
  if (wanted !== null && wanted !== pool) return text.lobby.joining(wanted);
  return pool === null ? "" : text.lobby.waiting(pool);
}

function Elapsed({ since }: { since: number | null }) {
  const text = useText();
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  if (since === null) return null;
  const seconds = Math.max(0, Math.floor((now - since) / 1000));
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return (
    <span class="quiet elapsed" aria-hidden="true">
      {" "}
      {text.lobby.waitingFor(time)}
    </span>
  );
}
