/**
 * The claim of a draw that has ended a game: whose it was, and of which position.
 *
 * Pure. Who saw the game end was told. To others the rules of the game say that it was a claim, and by the player to move;
 * the moves say which move was intended, where only one comes into question.
 */
import { type Game, isComplete, turnOf } from "zeitnot-client";
import { occurrences, stoodAt } from "../chess/claims";
import { type Position, play } from "../chess/position";
import { premoves } from "../chess/reach";
import { type Color, other } from "../chess/square";
import { isNobody } from "./people";

export interface Claimed {
  readonly by: Color;
  /** The intended move, which was not played; null: the position on the board was claimed; undefined: it is not known. */
  readonly uci: string | null | undefined;
}

/** Null where the draw came by itself, or nobody knows. `positions` are those of the game as far as they are known. */
export function drawClaimOf(game: Game, positions: readonly Position[]): Claimed | null {
  const { drawClaim, outcome } = game;
  if (drawClaim) return drawClaim;
  const by = turnOf(game.fen);
  const last = positions[positions.length - 1];
  if (!outcome || !last || !isByClaim(game, outcome.reason, by)) return null;
  if (outcome.reason === "fifty_moves") return { by, uci: last.quiet >= 100 ? null : undefined };
  if (!isComplete(game)) return null;
  return { by, uci: occurrences(positions).length >= 3 ? null : onlyMove(positions, last) };
}

/** What a profile leaves to a claim (docs/protocol.md, "Values"). An imported game was played by rules that nobody knows. */
function isByClaim({ options, players }: Game, reason: string, by: Color): boolean {
  if ((reason !== "threefold_repetition" && reason !== "fifty_moves") || isNobody(players[by].account)) return false;
  if (options.profile === "casual") return reason === "threefold_repetition" && players[by].bot !== true;
  return options.profile !== "fide_online";
}

/** Premoves are all moves and more: if only one leads to a position that has stood twice, it is the one. */
function onlyMove(positions: readonly Position[], last: Position): string | undefined {
  const found = premoves({ ...last, turn: other(last.turn) }).filter(
    (uci) => stoodAt(positions, play(last, uci)).length >= 2,
  );
  return found.length === 1 ? found[0] : undefined;
}
