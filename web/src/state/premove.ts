/**
 * The premoves of a board, in the order in which they will be played: how they are set, and every way in which they end.
 *
 *   replaced    another premove is set, where the settings allow one
 *   cancelled   all by the button, a right click or a typed `cancel`, or because a move is played; the last one by Escape, and
 *               of several by a second tap on the piece where it leads; the only one that is kept by a tap beside one's pieces,
 *               but not on the square that it leads to
 *   played      the turn comes, and the server's list of legal moves has the first one; the others wait for the next turn
 *   dropped     the turn comes and the list does not have it, or the game is over: the others are dropped with it
 *
 * When the server's data was restored from a backup, the page forgets all its inputs, premoves too.
 *
 * Pure. No other module writes the field. What a premove may be is in `chess/reach`.
 */
import { type Position, play } from "../chess/position";
import { playable } from "../chess/reach";

export interface WithPremoves {
  /** In UCI. */
  readonly premoves: readonly string[];
}

/** Sets a premove: after the others, or in their place. */
export function setPremove<I extends WithPremoves>(input: I, uci: string, isAfterOthers: boolean): I {
  return { ...input, premoves: isAfterOthers ? [...input.premoves, uci] : [uci] };
}

export function endPremoves<I extends WithPremoves>(input: I): I {
  return input.premoves.length === 0 ? input : { ...input, premoves: [] };
}

/** Those before the last one stay. */
export function endLastPremove<I extends WithPremoves>(input: I): I {
  return input.premoves.length === 0 ? input : { ...input, premoves: input.premoves.slice(0, -1) };
}

/** Puts the premove that was given up for the one that is set before it again, unless both are of one piece. */
export function withGivenUp<I extends WithPremoves>(input: I, givenUp = ""): I {
  const [now = ""] = input.premoves;
  const isOfOnePiece = [givenUp.slice(0, 2), givenUp.slice(2, 4)].includes(now.slice(0, 2));
  return givenUp === "" || isOfOnePiece ? input : { ...input, premoves: [givenUp, ...input.premoves] };
}

/** The turn has come: answers the legal move that the first premove is, or null and all have ended. */
export function takePremove<I extends WithPremoves>(
  input: I,
  position: Position,
  legal: readonly string[],
): { readonly input: I; readonly play: string | null } {
  const [first, ...others] = input.premoves;
  const move = first === undefined ? null : playable(first, legal, position);
  return move === null
    ? { input: endPremoves(input), play: null }
    : { input: { ...input, premoves: others }, play: move };
}

/** The position as it would be if the opponent did not move: premoves are drawn ahead on it, and continued from it. */
export function aheadOf(position: Position, premoves: readonly string[]): Position {
  return premoves.reduce((now, uci) => ({ ...play(now, uci), turn: position.turn, enPassant: null }), position);
}
