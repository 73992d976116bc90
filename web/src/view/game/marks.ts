/** What is marked on the board for the position looked at: last move, check, the piece in hand and its goals, premove. */
import { type Position } from "../../chess/position";
import { type Color, readUci } from "../../chess/square";
import type { Game } from "../../state/game";
import { proofMoves } from "../../state/proof";
import { type Hand, type Table, targets } from "../../state/table";
import type { Marks } from "../board/Board";

/** What the hand may do: the server's moves in one's turn, wishes in the other's, nothing while looking back. */
export function handOf(game: Game, seat: Color | null, table: Table): Hand {
  if (seat === null || game.phase !== "playing" || table.cursor !== null) return { kind: "look" };
  const isSent = table.sent !== null;
  if (game.turn && !isSent) return { kind: "move", legal: game.turn.legal, color: seat };
  const theirs = (game.fen.split(" ")[1] === "w") !== (seat === "white");
  return theirs || isSent ? { kind: "premove", color: seat } : { kind: "look" };
}

export function marksOf(game: Game, table: Table, position: Position, hand: Hand): Marks {
  if (table.proof !== null) return proofMarks(game, table.proof, position);
  const live = table.cursor === null;
  const ply = live ? game.plies[game.plies.length - 1] : game.plies.find((one) => one.ply === table.cursor);
  const uci = live && table.sent?.on === game.on ? table.sent.uci : ply?.uci;
  const san = ply?.san ?? "";
  const isCheck = live ? game.check !== null && !table.sent : /[+#]$/u.test(san);
  return {
    lastMove: squaresOf(uci),
    check: isCheck ? kingOf(position) : null,
    picked: table.picked,
    targets: table.picked === null ? [] : targets(position, hand, table.picked),
    premove: live ? squaresOf(table.premove ?? undefined) : [],
  };
}

/** Of a proof only its end is known to be check: it is mate. */
function proofMarks(game: Game, at: number, position: Position): Marks {
  const moves = proofMoves(game.outcome);
  const isMate = at > 0 && at === moves.length;
  return { lastMove: squaresOf(moves[at - 1]), check: isMate ? kingOf(position) : null, picked: null, targets: [], premove: [] };
}

function squaresOf(uci: string | undefined): number[] {
  const move = uci === undefined ? null : readUci(uci);
  return move ? [move.from, move.to] : [];
}

function kingOf(position: Position): number | null {
  const at = position.board.findIndex((piece) => piece?.role === "k" && piece.color === position.turn);
  return at < 0 ? null : at;
}
