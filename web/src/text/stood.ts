/** What was claimed of a draw, and at which moves of a game a repeated position stood on the board, as sentences. Pure. */
import type { OutcomeView } from "#protocol";
import { type Game, turnOf } from "zeitnot-client";
import { occurrences, stoodAt } from "../chess/claims";
import { type Position, moveNumber, play } from "../chess/position";
import { type Claimed, drawClaimOf } from "../state/drawClaim";
import { positionsOf } from "../state/positions";
import type { Catalogue } from ".";
import { dateTag, showBecause, showSan, showUci } from "./words";

/** Words, or a move of the game that can be shown. */
export type Part = string | { readonly ply: number; readonly words: string };

/** Fewer is no repetition. */
const LEAST = 3;

/** What was decided; of a claimed draw who claimed it, and with an intended move what that would have led to. */
export function showDecision(text: Catalogue, game: Game, outcome: OutcomeView): string {
  const positions = positionsOf(game);
  const claimed = drawClaimOf(game, positions);
  const last = positions[positions.length - 1];
  const because = showBecause(text, outcome, turnOf(game.fen));
  const { reason } = outcome;
  if (!claimed || !last || (reason !== "threefold_repetition" && reason !== "fifty_moves")) return because;
  const { onBoard, withMove, withSome, wouldBe } = text.result.claim;
  const side = text.sides[claimed.by];
  if (claimed.uci === null) return `${onBoard(side)} ${because}`;
  const move = claimed.uci && numbered(last, showUci(text, claimed.uci, last));
  return `${move ? withMove(side, move) : withSome(side)} ${wouldBe[reason]}`;
}

/** Empty after other reasons than a repetition, and where the page does not know all moves. */
export function showStood(text: Catalogue, game: Game): readonly Part[] {
  const { outcome, plies } = game;
  if (outcome?.reason !== "threefold_repetition" && outcome?.reason !== "fivefold_repetition") return [];
  const positions = positionsOf(game);
  const places = placesOf(positions, drawClaimOf(game, positions));
  const moves = places.flatMap((ply) => {
    const [move, before] = [plies[ply - 1], positions[ply - 1]];
    return move && before ? [{ ply, words: numbered(before, showSan(text, move.san)) }] : [];
  });
  if (moves.length === 0) return [];
  const list = new Intl.ListFormat(dateTag(text.tag)).formatToParts(moves.map(({ words }) => words));
  const [start = "", end = ""] = text.result.stood(places[0] === 0, MOVES).split(MOVES);
  const named = moves.values();
  return [start, ...list.map(({ type, value }) => (type === "element" ? (named.next().value ?? value) : value)), end];
}

/** Stands for the moves in a sentence, of which each is a part of its own. */
const MOVES = "\0";

/** After how many plies the position of the result stood; with an intended move the one after it, which was not reached. */
function placesOf(positions: readonly Position[], claimed: Claimed | null): readonly number[] {
  const last = positions[positions.length - 1];
  if (last && claimed?.uci) return stoodAt(positions, play(last, claimed.uci));
  const places = occurrences(positions);
  return places.length < LEAST ? [] : places;
}

/** A move with its number: `3. Nf3`, `3… Nf6`. */
function numbered(before: Position, move: string): string {
  return `${moveNumber(before)} ${move}`;
}
