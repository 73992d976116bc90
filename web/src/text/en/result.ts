/** The English texts of the result of a game. Part of the catalogue in `en`. */
import type { WireReason } from "#protocol";

/** What was decided, in a sentence. `loser` is the side that lost; null after a draw, or where nobody won. */
const because: Record<WireReason, (loser: string | null) => string> = {
  checkmate: (loser) => `${loser ? `${loser}'s` : "One"} king is attacked, and no move gets it out of the attack.`,
  resignation: (loser) => `${loser ?? "One side"} gave the game up.`,
  stalemate: () => "The side to move has no legal move and is not in check: a draw.",
  dead_position: () => "Neither side can give checkmate any more, whatever is played: a draw.",
  agreement: () => "One side offered a draw, and the other accepted.",
  flag_fall: (loser) =>
    loser
      ? `${loser} ran out of time.`
      : "One side ran out of time, but by the rules of this game the other had too little material to win: a draw.",
  threefold_repetition: () => "The same position stood on the board three times, with the same moves possible: a draw.",
  fifty_moves: () => "Each side made fifty moves without a capture or a pawn move: a draw.",
  fivefold_repetition: () => "The same position stood on the board five times, with the same moves possible: a draw.",
  seventy_five_moves: () => "Each side made seventy-five moves without a capture or a pawn move: a draw.",
  abandonment: (loser) =>
    loser
      ? `${loser} left the game and stayed away, and the other side claimed the win.`
      : "One side left the game and stayed away, and the other claimed a draw.",
  aborted: () => "The game was aborted at its beginning. It does not count.",
  first_move_limit: () => "The first move was not made in time. The game does not count.",
  both_away: () => "Neither player came back to the game. It does not count.",
  arbiter: () => "Whoever runs this server decided the result.",
};

/** Why a game is drawn that one side would have lost: the other cannot checkmate. The sides are known of a flag fall. */
const noMate = {
  flag_fall: (flagged: string, other: string) => `${flagged} is out of time, but ${other} cannot checkmate: a draw.`,
  resignation: () => "One side gave the game up, but the other cannot checkmate: a draw.",
  abandonment: () => "One side left the game and stayed away, but the other cannot checkmate: a draw.",
};

export const result = {
  why: "Why this result?",
  /** The same beside the reason. */
  whyShort: "Why?",
  because,
  noMate,
  /** A claimed draw: who claimed it, and with a move that was intended and not played what that would have led to. */
  claim: {
    onBoard: (side: string) => `${side} claimed the draw.`,
    withMove: (side: string, move: string) =>
      `${side} claimed the draw with the move ${move}, intended and not played.`,
    withSome: (side: string) => `${side} claimed the draw with a move that was intended and not played.`,
    wouldBe: {
      threefold_repetition:
        "After it the same position would have stood on the board for the third time, with the same moves possible.",
      fifty_moves: "With it each side would have made fifty moves without a capture or a pawn move.",
    },
  },
  /** At which moves a position stood that was repeated; `start`: that it was the first one too, or null. */
  stood: (start: string | null, moves: string) => `It stood ${start === null ? "" : `${start} and `}after ${moves}.`,
  stoodFirst: "at the beginning",
  /** Who lost a game so, from the side of its reader; `player`: another player, in the list of whose games it is. */
  lostBy: {
    resignation: {
      you: "You resigned",
      player: "Resigned",
      opponent: "Opponent resigned",
      side: (side: string) => `${side} resigned`,
    },
    flag_fall: {
      you: "You ran out of time",
      player: "Ran out of time",
      opponent: "Opponent out of time",
      side: (side: string) => `${side} ran out of time`,
    },
    abandonment: {
      you: "You left",
      player: "Left the game",
      opponent: "Opponent left",
      side: (side: string) => `${side} left`,
    },
  },
  yourRating: (step: string, change: string) => `Your rating: ${step} (${change})`,
  rating: (side: string, step: string, change: string) => `${side}: ${step} (${change})`,
  provisional: "provisional",
};
