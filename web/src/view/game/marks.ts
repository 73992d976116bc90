/** The marks on the board for the position shown: last move, check, selected piece and its targets, premove. */
import type { Game } from "zeitnot-client";
import type { Position } from "../../chess/position";
import { type Color, readUci } from "../../chess/square";
import { proofMoves } from "../../state/proof";
import { type InputMode, type BoardInput, targets } from "../../state/boardInput";
import type { Marks } from "../board/Board";

/** Legal moves in the player's own turn, premoves in the opponent's, nothing while an earlier position is shown. */
export function inputModeOf(game: Game, seat: Color | null, input: BoardInput): InputMode {
  if (seat === null || game.phase !== "playing" || input.cursor !== null) return { kind: "look" };
  const isSent = input.sent !== null;
  if (game.turn && !isSent) return { kind: "move", legal: game.turn.legal, color: seat };
  const theirs = (game.fen.split(" ")[1] === "w") !== (seat === "white");
  return theirs || isSent ? { kind: "premove", color: seat } : { kind: "look" };
}

export function marksOf(game: Game, input: BoardInput, position: Position, mode: InputMode): Marks {
  if (input.proof !== null) return proofMarks(game, input.proof, position);
  const live = input.cursor === null;
  const ply = live ? game.plies[game.plies.length - 1] : game.plies.find((one) => one.ply === input.cursor);
  const uci = live && input.sent?.on === game.on ? input.sent.uci : ply?.uci;
  const san = ply?.san ?? "";
  const isCheck = live ? game.check !== null && !input.sent : /[+#]$/u.test(san);
  return {
    lastMove: squaresOf(uci),
    check: isCheck ? kingOf(position) : null,
    selected: input.selected,
    targets: input.selected === null ? [] : targets(position, mode, input.selected),
    premove: live ? squaresOf(input.premove ?? undefined) : [],
  };
}

/** Only the last move of a proof is known to give check: it is mate. */
function proofMarks(game: Game, at: number, position: Position): Marks {
  const moves = proofMoves(game.outcome);
  const isMate = at > 0 && at === moves.length;
  return {
    lastMove: squaresOf(moves[at - 1]),
    check: isMate ? kingOf(position) : null,
    selected: null,
    targets: [],
    premove: [],
  };
}

function squaresOf(uci: string | undefined): number[] {
  const move = uci === undefined ? null : readUci(uci);
  return move ? [move.from, move.to] : [];
}

function kingOf(position: Position): number | null {
  const at = position.board.findIndex((piece) => piece?.role === "k" && piece.color === position.turn);
  return at < 0 ? null : at;
}
