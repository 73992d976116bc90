/**
 * When a player may offer a draw, and if not now, why (docs/protocol.md, "Draws and other offers").
 *
 * Pure. A hint for the page: the server decides.
 */
import { type Game, movesOf, startTurn } from "zeitnot-client";
import { readFen } from "../chess/position";
import { type Color, other } from "../chess/square";
import { isOnline } from "./setup";

/** So many plies must lie between two offers of a player online. */
const PLIES_APART = 20;

/** Why a player may not offer a draw now. */
export type NoDraw =
  | { readonly why: "open" }
  /** Another offer is possible from this move on, as moves are numbered. */
  | { readonly why: "again"; readonly move: number }
  /** The player must first have made so many moves. */
  | { readonly why: "early"; readonly moves: number }
  | { readonly why: "unmoved" };

export function whyNoDraw(game: Game, seat: Color): NoDraw | null {
  if (game.drawOffer !== null) return { why: "open" };
  const earliest = game.options.no_draw_offer_before_move;
  if (movesOf(game, "white") === 0 || movesOf(game, "black") === 0) return { why: "unmoved" };
  if (movesOf(game, seat) < earliest) return { why: "early", moves: earliest };
  const from = offerableFrom(game, seat);
  return from !== null && game.plyCount < from ? { why: "again", move: moveAt(game, from) } : null;
}

/** After how many plies a side may offer again: when the opponent has moved, and online not before the distance. */
function offerableFrom(game: Game, seat: Color): number | null {
  const at = game.drawOfferedAt[seat];
  if (at === null) return null;
  const { profile } = game.options;
  const isSeatToMove = (at % 2 === 0 ? startTurn(game) : other(startTurn(game))) === seat;
  const answered = at + (isSeatToMove ? 2 : 1);
  return isOnline(profile) ? at + PLIES_APART : answered;
}

/** The number of the move that is made after so many plies. */
function moveAt(game: Game, plies: number): number {
  const { fullmove, turn } = readFen(game.startFen);
  return fullmove + Math.floor((plies + (turn === "black" ? 1 : 0)) / 2);
}
