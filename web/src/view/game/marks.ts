/** What a board takes now, and its marks for the position shown: last move, check, selection and targets, premoves. */
import type { Game } from "zeitnot-client";
import type { Position } from "../../chess/position";
import { type Color, readUci } from "../../chess/square";
import { proofMoves } from "../../state/proof";
import { type InputMode, type BoardInput, markedTargets } from "../../state/boardInput";
import type { Settings } from "../../state/settings";
import type { Marks } from "../board/squareMarks";

/** What the settings say of moves. */
type Preferences = Pick<Settings, "premoves" | "autoQueen" | "moveConfirmation">;

/** Legal moves in the player's own turn, premoves in the opponent's, nothing while an earlier position is shown. */
export function inputModeOf(game: Game, seat: Color | null, input: BoardInput, preferences: Preferences): InputMode {
  const { premoves, autoQueen, moveConfirmation } = preferences;
  if (seat === null || game.phase !== "playing" || input.cursor !== null) return { kind: "look" };
  const isSent = input.sent !== null;
  if (game.turn && !isSent) {
    if (input.confirming) return { kind: "look" };
    const move = { kind: "move", legal: game.turn.legal, color: seat, autoQueen } as const;
    return moveConfirmation ? { ...move, confirmOn: game.on } : move;
  }
  const theirs = (game.fen.split(" ")[1] === "w") !== (seat === "white");
  if (premoves === "none" || !(theirs || isSent)) return { kind: "look" };
  return { kind: "premove", color: seat, autoQueen, several: premoves === "several" };
}

export function marksOf(
  game: Game,
  input: BoardInput,
  position: Position,
  mode: InputMode,
  settings: Pick<Settings, "legalMoves">,
): Marks {
  if (input.proof !== null) return proofMarks(game, input.proof, position);
  const live = input.cursor === null;
  const ply = live ? game.plies[game.plies.length - 1] : game.plies.find((one) => one.ply === input.cursor);
  const drawn = [input.sent, input.confirming].find((move) => move?.on === game.on);
  const uci = live && drawn ? drawn.uci : ply?.uci;
  const san = ply?.san ?? "";
  const isCheck = live ? game.check !== null && !drawn : /[+#]$/u.test(san);
  return {
    lastMove: squaresOf(uci),
    check: isCheck ? kingOf(position) : null,
    selected: input.selected,
    targets: markedTargets(position, mode, input.selected, settings),
    premoves: live ? input.premoves.flatMap((one) => readUci(one) ?? []) : [],
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
    premoves: [],
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
