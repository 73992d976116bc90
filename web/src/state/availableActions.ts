/**
 * What a person may do in a game now, by its rules (the profile) and by what is open: which buttons there are.
 *
 * A hint for the page. The server decides, and may refuse what is offered here.
 */
import type { OfferView, TakebackOfferView } from "#protocol";
import { type Color, other } from "../chess/square";
import { type Game, movesOf } from "./game";

export interface AvailableActions {
  readonly abort: boolean;
  readonly resign: boolean;
  readonly offerDraw: boolean;
  readonly takeback: boolean;
  readonly giveTime: boolean;
  /** To claim a draw by repetition or by fifty moves; with an intended move, and for which rules. */
  readonly claim: { readonly withMove: boolean; readonly fifty: boolean } | null;
  readonly askIlc: boolean;
  /** The opponent is away, and the claim is open from this instant on. */
  readonly claimAbsenceAt: number | null;
  readonly drawToAnswer: OfferView | null;
  readonly takebackToAnswer: TakebackOfferView | null;
}

const NONE: AvailableActions = {
  abort: false,
  resign: false,
  offerDraw: false,
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
  const online = profile === "fide_online" || profile === "casual";
  const bothMoved = movesOf(game, "white") > 0 && movesOf(game, "black") > 0;
  const myTurn = game.turn !== null;
  const theirDraw = game.drawOffer?.by === opponent ? game.drawOffer : null;
  const theirTakeback = game.takebackOffer?.by === opponent ? game.takebackOffer : null;
  return {
    abort: online && !bothMoved,
    resign: true,
    offerDraw: bothMoved && game.drawOffer === null,
    takeback: profile === "casual" && movesOf(game, seat) > 0 && game.takebackOffer === null,
    giveTime: profile === "casual" && game.control.kind === "clock",
    claim: myTurn && profile !== "fide_online" ? { withMove: profile !== "casual", fifty: profile !== "casual" } : null,
    askIlc: myTurn && ilc !== "off" && game.control.kind === "clock" && game.drawOffer === null,
    claimAbsenceAt: online ? (game.away[opponent]?.claimAt ?? null) : null,
    drawToAnswer: theirDraw,
    takebackToAnswer: theirTakeback,
  };
}
