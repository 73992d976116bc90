/**
 * The state of the connection and of the last command: sending, resent, confirmed, lost.
 *
 * Shows "confirmed" only after the server has confirmed.
 */
import { type Game, aboutGame } from "zeitnot-client";
import { showClose } from "../../text/words";
import { useApp, useText } from "../context";

export function ConnectionLine({ game }: { game: Game }) {
  const link = useApp((app) => app.link);
  const confirmed = useApp((app) => app.confirmed);
  const text = useText();
  const pending = aboutGame(link.outbox, game.id);
  const isOpen = link.phase === "open" || link.phase === "slow";
  const again = pending.some((one) => one.tries > 1);
  const delivery = pending.length
    ? !isOpen
      ? text.link.queued
      : again
        ? text.link.resent
        : text.link.sending
    : confirmed?.game === game.id
      ? text.link.confirmed
      : "";
  const state =
    link.phase === "open" || link.phase === "idle"
      ? text.link.open
      : link.phase === "slow"
        ? text.link.slow
        : link.phase === "rejected"
          ? showClose(text, link.rejection ?? "")
          : link.again
            ? text.link.waiting
            : text.link.connecting;
  return (
    <p
      class={`connection ${link.phase}`}
      role="status"
      data-phase={link.phase}
      data-delivery={pending.length ? (again ? "resent" : "sending") : confirmed ? "confirmed" : "none"}
    >
      <span class="dot" aria-hidden="true" />
      <span>{state}</span>
      {link.phase === "open" && link.roundTrip !== null && (
        <span class="quiet" aria-hidden="true">
          {text.link.delay(Math.round(link.roundTrip))}
        </span>
      )}
      <span class="delivery" aria-hidden={isOpen && !again}>
        {delivery}
      </span>
    </p>
  );
}
