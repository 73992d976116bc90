/**
 * The buttons for what a player can do: draw, resign (both confirmed in the status line; a second press on the button closes
 * the question), abort, takeback, time, claims.
 *
 * Actions that the rules of the game lack are not shown, nor Resign while a game that has hardly begun can be aborted;
 * actions that are unavailable now are disabled, and the offer of a draw says why. While the result is being worked out they
 * stand as they were, without effect. The claim of a draw stands out when one is valid by the page's own count.
 */
import { useRef } from "preact/hooks";
import type { GameId } from "#protocol";
import type { Command, Game } from "zeitnot-client";
import type { Position } from "../../chess/position";
import { claimsNow, grounds } from "../../chess/claims";
import { type Color, other } from "../../chess/square";
import type { AvailableActions } from "../../state/availableActions";
import { showNoDraw } from "../../text/words";
import { useApp, useStore, useText } from "../context";
import { ClaimDialog } from "./ClaimDialog";
import { OfferMark } from "./OfferMark";
import { BUTTONS, type Sure, focusNo } from "./SureQuestion";

interface Props {
  readonly game: Game;
  readonly seat: Color | null;
  readonly available: AvailableActions;
  readonly positions: readonly Position[];
  readonly asking: Question | null;
  ask(what: Question | null): void;
}

/** The question that is open before something is sent. */
export type Question = Sure | "claim";

export const GIVEN_MS = 15_000;

export function Actions({ game, seat, available: now, positions, asking, ask }: Props) {
  const last = useRef(now);
  if (game.phase === "playing") last.current = now;
  const available = last.current;
  const store = useStore();
  const outbox = useApp((app) => app.link.outbox);
  const text = useText();
  const { profile } = game.options;
  const under = (t: Command["t"]): boolean =>
    outbox.some((one) => one.message.t === t && "game" in one.message.d && one.message.d.game === game.id);
  const about = { game: game.id };
  const legal = game.turn?.legal ?? [];
  // A program neither argues nor claims: against one the button comes when there is something to claim.
  const isProgram = seat !== null && game.players[other(seat)].bot === true;
  const mayClaim = profile !== "fide_online" && (!isProgram || grounds(positions, [], false).length > 0);
  const isClaimable = available.claim !== null && claimsNow(positions, legal, available.claim).length > 0;
  const askSure = (what: Sure, event: MouseEvent): void => {
    const closes = asking === what && event.detail < 2;
    ask(closes ? null : what);
    // The second click of a double click closes nothing. It has moved the focus away from the question.
    if (!closes) focusNo();
  };
  const button = (t: Command["t"], label: string, can: boolean, act: () => void) => (
    <button type="button" disabled={!can || under(t)} onClick={act}>
      {label}
    </button>
  );
  if (seat === null || game.phase === "ended") return null;
  const claim = mayClaim && (
    <button
      type="button"
      class={isClaimable ? "claim ready" : "claim"}
      title={isClaimable ? text.game.claimReady : undefined}
      disabled={available.claim === null || under("claim_draw")}
      onClick={() => ask("claim")}
    >
      {text.game.claim}
    </button>
  );
  const buttons = [
    available.abort && button("abort", text.game.abort, true, () => store.send({ t: "abort", d: about })),
    !available.abort && (
      <OfferDraw
        game={game.id}
        available={available}
        asking={asking}
        isUnderWay={under("offer_draw")}
        ask={(event) => askSure("draw", event)}
      />
    ),
    !available.abort && (
      <button
        type="button"
        id={BUTTONS.resign}
        aria-expanded={asking === "resign"}
        disabled={under("resign")}
        onClick={(event) => askSure("resign", event)}
      >
        {text.game.resign}
      </button>
    ),
    profile === "casual" &&
      button("offer_takeback", text.game.takeback, available.takeback, () =>
        store.send({ t: "offer_takeback", d: about }),
      ),
    available.giveTime &&
      button("give_time", text.game.giveTime, true, () =>
        store.send({ t: "give_time", d: { ...about, ms: GIVEN_MS } }),
      ),
    claim,
    game.options.ilc !== "off" &&
      button("ask_ilc", text.game.askIlc, available.askIlc, () => store.send({ t: "ask_ilc", d: about })),
  ];
  const shown = buttons.filter(Boolean);
  const claimIsThird = mayClaim && shown.length === 3 && shown[2] === claim;
  return (
    <section
      class={claimIsThird ? "actions claim-is-third" : "actions"}
      aria-label={text.game.actions}
      inert={game.phase === "deciding"}
    >
      {buttons}
      {asking === "claim" && available.claim && (
        <ClaimDialog game={game} positions={positions} rule={available.claim} close={() => ask(null)} />
      )}
    </section>
  );
}

interface OfferDrawProps {
  readonly game: GameId;
  readonly available: AvailableActions;
  readonly asking: Question | null;
  readonly isUnderWay: boolean;
  ask(event: MouseEvent): void;
}

/** While a draw cannot be offered, the button says why: beside the pointer, and when it is pressed. */
function OfferDraw({ game, available, asking, isUnderWay, ask }: OfferDrawProps) {
  const store = useStore();
  const text = useText();
  const { offerDraw, noDraw, drawToAnswer } = available;
  const why = noDraw && drawToAnswer === null ? showNoDraw(text, noDraw) : undefined;
  // One's own: the opponent's has its answers in the status line.
  const isOffered = noDraw?.why === "open" && drawToAnswer === null;
  return (
    <button
      type="button"
      id={BUTTONS.draw}
      aria-expanded={offerDraw ? asking === "draw" : undefined}
      disabled={isUnderWay || drawToAnswer !== null}
      aria-disabled={why !== undefined}
      class={isOffered ? "offered" : ""}
      title={why}
      aria-label={isOffered ? text.game.drawSent : undefined}
      onClick={(event) => (offerDraw ? ask(event) : why && store.notice("info", why, game))}
    >
      {isOffered && <OfferMark />}
      {isOffered ? text.game.drawSentShort : text.game.draw}
    </button>
  );
}
