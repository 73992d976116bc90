/**
 * What was claimed of a draw, and at which moves of a game a repeated position stood on the board, as sentences; a move of
 * the game with its number. Pure.
 */
import type { OutcomeView } from "#protocol";
import { type Game, turnOf } from "zeitnot-client";
import { occurrences, stoodAt } from "../chess/claims";
import { type Position, moveNumber, play } from "../chess/position";
import { type Claimed, drawClaimOf } from "../state/drawClaim";
import { positionsOf } from "../state/positions";
import type { Catalogue } from ".";
import { dateTag, showBecause, showSan, showUci } from "./words";

/** Words, or the position after so many plies, which can be shown. */
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
  const named = moves.values();
  const parts = list.map(({ type, value }) => (type === "element" ? (named.next().value ?? value) : value));
  return text.result
    .stood(places[0] === 0 ? FIRST : null, MOVES)
    .split(/([\u{e000}\u{e001}])/u)
    .flatMap((part): readonly Part[] =>
      part === MOVES ? parts : part === FIRST ? [{ ply: 0, words: text.result.stoodFirst }] : [part],
    );
}

/** They stand in a sentence for what can be shown, of which each is a part of its own. Both are of no language. */
const FIRST = "\u{e000}";
const MOVES = "\u{e001}";

/** The move that led to a position of the game, with its number; null of the first one, and where the page does not know it. */
export function showPly(text: Catalogue, game: Game, ply: number): string | null {
  const positions = positionsOf(game);
  const before = positions[ply - 1 - (game.plyCount - (positions.length - 1))];
  const move = game.plies.find((one) => one.ply === ply);
  return move && before ? numbered(before, showSan(text, move.san)) : null;
}

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
