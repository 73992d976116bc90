/**
 * The premove of a board: how it is set, and every way in which it ends.
 *
 *   replaced    another premove is set
 *   cancelled   by its button, Escape, a tap on the board or a typed `cancel`, or because a move is played
 *   played      the turn comes, and the server's list of legal moves has it
 *   dropped     the turn comes and the list does not have it, or the game is over
 *
 * When the server's data was restored from a backup, the page forgets all its inputs, premoves too.
 *
 * Pure. No other module writes the field. What a premove may be is in `chess/reach`.
 */
import type { Position } from "../chess/position";
import { playable } from "../chess/reach";

export interface WithPremove {
  /** The premove in UCI. */
  readonly premove: string | null;
}

export function setPremove<I extends WithPremove>(input: I, uci: string): I {
  return { ...input, premove: uci };
}

export function endPremove<I extends WithPremove>(input: I): I {
  return input.premove === null ? input : { ...input, premove: null };
}

/** The turn has come: ends the premove, and answers the legal move that it is, or null. */
export function takePremove<I extends WithPremove>(
  input: I,
  position: Position,
  legal: readonly string[],
): { readonly input: I; readonly play: string | null } {
  const play = input.premove === null ? null : playable(input.premove, legal, position);
  return { input: endPremove(input), play };
}
