/**
 * After a game: offers or answers a rematch, or looks for another opponent.
 *
 * The reducer opens the rematch when it starts. Whoever looks for another opponent withdraws what they offered; that is
 * in the pool of the same time control, if there is one.
 */
import { type Game, aboutGame } from "zeitnot-client";
import { poolOf } from "../../state/rematch";
import { useApp, useStore, useText } from "../context";
import { PageLink } from "../HomeLink";

export function Rematch({ game }: { game: Game }) {
  const offer = useApp((app) => app.rematches[game.id]);
  const outbox = useApp((app) => app.link.outbox);
  const challenges = useApp((app) => app.challenges);
  const store = useStore();
  const text = useText().play.rematch;
  const isOpen = offer?.state === "open";
  const own = offer && isOpen && offer.by === "me" ? offer : null;
  const isUnder = aboutGame(outbox, game.id).some(({ message }) => message.t === "offer_rematch");
  const withdraw = (): void => {
    if (own) store.send({ t: "cancel_challenge", d: { challenge: own.challenge } });
  };
  const pool = poolOf(game);
  const another = (
    <button
      type="button"
      onClick={() => {
        withdraw();
        store.navigate({ at: "home" });
        if (pool) store.joinPool(pool);
      }}
    >
      {text.another}
    </button>
  );
  if (offer && isOpen && offer.by === "them") {
    const name = challenges[offer.challenge]?.by.name ?? "";
    const about = { challenge: offer.challenge };
    return (
      <div class="rematch offered" role="group" aria-label={text.theirs(name)}>
        <p>{text.theirs(name)}</p>
        <button type="button" class="primary" onClick={() => store.send({ t: "accept_challenge", d: about })}>
          {text.accept}
        </button>
        <button type="button" onClick={() => store.send({ t: "decline_challenge", d: about })}>
          {text.decline}
        </button>
      </div>
    );
  }
  if (own) {
    // In the place of the button that offered it, for whoever presses twice.
    return (
      <div class="rematch">
        <p role="status">{text.offered}</p>
        {another}
        <button type="button" onClick={withdraw}>
          {text.withdraw}
        </button>
      </div>
    );
  }
  if (offer?.state === "begun") {
    return (
      <div class="rematch">
        <PageLink class="button primary" to={{ at: "game", id: offer.challenge }}>
          {text.go}
        </PageLink>
        {another}
      </div>
    );
  }
  return (
    <div class="rematch">
      {offer?.state === "declined" && offer.by === "me" && <p>{text.declined(text.reasons[offer.reason ?? "no"])}</p>}
      <button
        type="button"
        class="primary"
        disabled={isUnder}
        onClick={() => store.send({ t: "offer_rematch", d: { game: game.id } })}
      >
        {isUnder ? text.offering : text.offer}
      </button>
      {another}
    </div>
  );
}
