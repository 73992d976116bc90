/**
 * What a player can do now, by the profile of the game and by open offers: it decides which buttons there are.
 *
 * A hint for the page: the server decides, and may reject what is offered here.
 */
import type { OfferView, TakebackOfferView } from "#protocol";
import { type Game, movesOf } from "zeitnot-client";
import type { ClaimRule } from "../chess/claims";
import { type Color, other } from "../chess/square";
import { type NoDraw, whyNoDraw } from "./drawOffers";
import { isOnline } from "./setup";

export interface AvailableActions {
  readonly abort: boolean;
  readonly resign: boolean;
  readonly offerDraw: boolean;
  readonly noDraw: NoDraw | null;
  readonly takeback: boolean;
  readonly giveTime: boolean;
  /** Draw claims by repetition or fifty moves, and whether they can include an intended move. */
  readonly claim: ClaimRule | null;
  readonly askIlc: boolean;
  /** The instant from which the absence of the opponent can be claimed. */
  readonly claimAbsenceAt: number | null;
  readonly drawToAnswer: OfferView | null;
  readonly takebackToAnswer: TakebackOfferView | null;
}

const NONE: AvailableActions = {
  abort: false,
  resign: false,
  offerDraw: false,
  noDraw: null,
  takeback: false,
  giveTime: false,
  claim: null,
  askIlc: false,
  claimAbsenceAt: null,
  drawToAnswer: null,
  takebackToAnswer: null,
};

export function availableActionsOf(game: Game, seat: Color | null): AvailableActions {
  if (seat === null || game.phase !== "playing") return NONE;
  const { profile, ilc } = game.options;
  const opponent = other(seat);
  const online = isOnline(profile);
  const bothMoved = movesOf(game, "white") > 0 && movesOf(game, "black") > 0;
  const noDraw = whyNoDraw(game, seat);
  const myTurn = game.turn !== null;
  const theirDraw = game.drawOffer?.by === opponent ? game.drawOffer : null;
  const theirTakeback = game.takebackOffer?.by === opponent ? game.takebackOffer : null;
  return {
    abort: online && !bothMoved,
    resign: true,
    offerDraw: noDraw === null,
    noDraw,
    takeback: profile === "casual" && movesOf(game, seat) > 0 && game.takebackOffer === null,
    // A program has no use for it.
    giveTime: profile === "casual" && game.control.kind === "clock" && game.players[opponent].bot !== true,
    claim: myTurn && profile !== "fide_online" ? { withMove: profile !== "casual", fifty: profile !== "casual" } : null,
    askIlc: myTurn && ilc !== "off" && game.control.kind === "clock" && noDraw === null,
    claimAbsenceAt: online ? (game.away[opponent]?.claimAt ?? null) : null,
    drawToAnswer: theirDraw,
    takebackToAnswer: theirTakeback,
  };
}
