/**
 * After a game: offers or answers a rematch, or looks for another opponent, or for another game against the computer.
 *
 * What there is to say of a rematch stands behind the result (`rematchOffer`) or, of an own offer, on the button, as does that
 * the opponent has left or plays somebody else. The reducer opens the rematch when it starts.
 * The rematch comes first, whatever stands out, so that the answers to an offer come into the place of the button that makes
 * one, and the way to another opponent stays where it is.
 * A button that comes into the place of another one answers no press that may still be aimed at that one: to withdraw an
 * offer, which is in the place of the button that made it and keeps its width, to decline one, and what comes back when the
 * opponent withdraws it.
 * Whoever looks for another opponent withdraws what they offered and declines what they were offered; that is in the pool of
 * the same time control. Where there is none, the button says that it leads to the home page. After a game that was none,
 * after a rematch that was declined, and when the opponent has gone, that way stands out, and not the rematch.
 */
import { useState } from "preact/hooks";
import { type Game, aboutGame } from "zeitnot-client";
import type { App } from "../../state/app";
import type { Computer } from "../../state/computer";
import { type Rematch as Offer, poolOf } from "../../state/rematch";
import type { Catalogue } from "../../text";
import { showRematchDeclined } from "../../text/words";
import { useApp, useStore, useText } from "../context";
import { LaterComputerDialog } from "../home/LaterComputerDialog";
import { PageLink } from "../HomeLink";
import type { Presence } from "../people/PresenceMark";
import { useSettled, useStill } from "../settled";

/** That the opponent offers a rematch, in short; null when there is no offer. */
export function rematchOffer({ rematches }: App, text: Catalogue, game: string): string | null {
  const offer = rematches[game];
  return offer?.state === "open" && offer.by === "them" ? text.play.rematch.theirOffer : null;
}

/** What has become of an own offer, in short; the live region says it too. */
function newsOf(offer: Offer | undefined, { offered, declinedShort }: Catalogue["play"]["rematch"]): string | null {
  if (offer?.by !== "me") return null;
  return offer.state === "open" ? offered : offer.state === "declined" ? declinedShort : null;
}

/** With which reason the opponent has declined a rematch. */
export function WhyDeclined({ game }: { readonly game: Game }) {
  const offer = useApp((app) => app.rematches[game.id]);
  const text = useText();
  if (offer?.by !== "me" || offer.state !== "declined" || offer.reason === null || offer.reason === "no") return null;
  return <p class="news">{showRematchDeclined(text, offer.reason)}</p>;
}

/** For so long a press on the button that withdraws an offer may be aimed at the one that made it. */
const SETTLES_MS = 1_500;

interface Props {
  readonly game: Game;
  /** Whom one has played, if it was the server's own opponent. */
  readonly computer: Computer | null;
  /** Whether the opponent is still online; null where it is not known. */
  readonly presence: Presence | null;
}

export function Rematch({ game, computer, presence }: Props) {
  const offer = useApp((app) => app.rematches[game.id]);
  const outbox = useApp((app) => app.link.outbox);
  const store = useStore();
  const words = useText();
  const text = words.play.rematch;
  const isOpen = offer?.state === "open";
  const isUnder = aboutGame(outbox, game.id).some(({ message }) => message.t === "offer_rematch");
  const own = offer && isOpen && offer.by === "me" ? offer : null;
  const isSettled = useSettled(own?.challenge ?? null, SETTLES_MS);
  const isTheirs = isOpen && offer.by === "them";
  const isStill = useStill(isTheirs);
  const decline = (): void => {
    if (offer) store.send({ t: "decline_challenge", d: { challenge: offer.challenge } });
  };
  if (isTheirs) {
    const accept = (): void => {
      store.send({ t: "accept_challenge", d: { challenge: offer.challenge } });
    };
    const by = store.state.challenges[offer.challenge]?.by.name ?? "";
    return (
      <div class="rematch offered" role="group" aria-label={text.theirs(by)}>
        <button type="button" class="primary" onClick={accept}>
          {text.accept}
        </button>
        <button type="button" aria-disabled={!isStill} onClick={() => isStill && decline()}>
          {text.decline}
        </button>
        <AnotherOpponent game={game} kind="another" isStill before={decline} />
      </div>
    );
  }
  const isDeclined = offer?.state === "declined" && offer.by === "me";
  const isGone = presence !== null && presence !== "here";
  const leadsOn = !computer && offer?.state !== "begun" && (wasNone(game) || isDeclined || isGone);
  const withdraw = (): void => {
    if (own) store.send({ t: "cancel_challenge", d: { challenge: own.challenge } });
  };
  const label = own ? text.withdraw : isUnder ? text.offering : text.offer;
  // Of an offer that is open the way to withdraw it says enough.
  const news = (isGone && (own ?? !offer) ? words.lobby[presence] : null) ?? newsOf(offer, text);
  // One button, which keeps the focus.
  const press = (event: MouseEvent): void => {
    if (own) {
      if (isSettled && event.detail < 2) withdraw();
    } else if (isStill && !isUnder) store.send({ t: "offer_rematch", d: { game: game.id } });
  };
  return (
    <div class="rematch">
      {offer?.state === "begun" ? (
        <PageLink class="button to-rematch primary" to={{ at: "game", id: offer.challenge }}>
          {text.go}
        </PageLink>
      ) : (
        <button
          type="button"
          class={own ? "to-rematch offered" : leadsOn ? "to-rematch" : "to-rematch primary"}
          aria-disabled={own ? !isSettled : isUnder || !isStill}
          onClick={press}
        >
          {label} {news !== null && <small>{news}</small>}
        </button>
      )}
      {!computer && (
        <AnotherOpponent
          game={game}
          kind={leadsOn ? "another primary" : "another"}
          isStill={isStill}
          before={withdraw}
        />
      )}
      {computer && <AnotherLevel {...computer} />}
    </div>
  );
}

/** Aborted, ended before both had moved, or without a move. */
function wasNone({ outcome, plyCount }: Game): boolean {
  return plyCount === 0 || outcome?.score === "*";
}

interface AnotherProps {
  readonly game: Game;
  /** Whether it stands out. */
  readonly kind: "another" | "another primary";
  /** Whether nothing else stood in its place a moment ago. */
  readonly isStill: boolean;
  before(): void;
}

function AnotherOpponent({ game, kind, isStill, before }: AnotherProps) {
  const store = useStore();
  const { play } = useText();
  const pool = poolOf(game);
  const look = (): void => {
    if (!isStill) return;
    before();
    store.navigate({ at: "home" });
    if (pool) store.joinPool(pool);
  };
  return (
    <button type="button" class={kind} aria-disabled={!isStill} onClick={look}>
      {pool ? play.rematch.another : play.rematch.home}
    </button>
  );
}

/** The dialog for a game against the computer, with the level that was played. */
function AnotherLevel({ level, here }: Computer) {
  const text = useText().play.rematch;
  const [isOpen, open] = useState(false);
  const levels = here ?? [];
  return (
    <>
      <button
        type="button"
        class="another"
        aria-haspopup="dialog"
        disabled={levels.length === 0}
        onClick={() => open(true)}
      >
        {text.newGame}
      </button>
      {isOpen && levels.length > 0 && <LaterComputerDialog levels={levels} first={level} close={() => open(false)} />}
    </>
  );
}
