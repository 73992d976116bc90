/** English: how games end, and the sets of rules. */
import type { WireProfile, WireReason } from "#protocol";

export const reasons: Record<WireReason, string> = {
  checkmate: "Checkmate",
  resignation: "Resignation",
  stalemate: "Stalemate",
  dead_position: "Dead position: no sequence of moves can lead to mate",
  agreement: "By agreement",
  flag_fall: "Out of time",
  threefold_repetition: "Threefold repetition",
  fifty_moves: "Fifty moves without a capture or pawn move",
  fivefold_repetition: "Fivefold repetition",
  seventy_five_moves: "Seventy-five moves without a capture or pawn move",
  abandonment: "A player left",
  aborted: "Aborted",
  first_move_limit: "No first move in time",
  both_away: "Both players were away for 30 days",
  arbiter: "Decided by the arbiter",
};

/** `timed`: what is said besides of a game with a clock; of a casual one only against a person. */
export const profiles: Record<WireProfile, { name: string; about: string; timed?: string }> = {
  fide_online: {
    name: "FIDE, online",
    about: "Threefold repetition and the fifty-move rule end the game automatically.",
  },
  fide_board: {
    name: "FIDE, over the board",
    about: "FIDE tournament rules: a draw by repetition or the fifty-move rule has to be claimed.",
    timed: "The clock runs from the start.",
  },
  us_chess: {
    name: "US Chess",
    about: "US Chess tournament rules: a draw by repetition or the fifty-move rule has to be claimed.",
    timed: "The clock runs from the start.",
  },
  casual: {
    name: "Takebacks allowed",
    about: "A move can be taken back if the opponent agrees.",
    timed: "Each player may give the other more time.",
  },
};
