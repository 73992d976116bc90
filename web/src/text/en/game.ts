/** English: a game's page: buttons, status, result. */

export const game = {
  you: "you",
  bot: "bot",
  live: "Game",
  opponentAway: "away",
  clockOf: (side: string) => `${side}'s clock`,
  noClock: "no clock",
  /** Of a tournament. */
  round: (of: string) => `Round ${of}`,
  firstMove: (s: number) => `First move within ${s}\u00a0s`,
  toMove: (side: string) => `${side} to move`,
  yourTurn: "Your turn",
  theirTurn: "Their move",
  thinks: (name: string) => `${name} is thinking …`,
  onItsWay: "Your move is on its way",
  deciding: "The result is being worked out …",
  /** Before it, in a game with clocks. */
  clocksStand: "The clocks are stopped.",
  credit: (ms: number) => `The last move spent ${ms} ms on the network: they are not taken from the clock`,
  creditShort: (ms: number) => `+${ms} ms`,
  /** Where there is room for it. */
  creditWord: "lag",
  watchers: (n: number) => (n === 1 ? "1 spectator" : `${n} spectators`),
  watching: "You are watching",
  moves: "Moves",
  noMoves: "No moves yet",
  first: "First position",
  back: "One move back",
  forward: "One move forward",
  last: "Latest position",
  /** The move that led to it; null where that is not known, and of the first position. */
  past: (move: string | null) => (move === null ? "Viewing an earlier position" : `Position after ${move}`),
  returnLive: "Back to the game",
  loadingMoves: "Loading earlier moves …",
  tookTime: (s: string) => `took ${s} s`,
  premoveSet: (move: string) => `Premove ${move}`,
  /** The turn came, and it was no legal move. */
  premoveDropped: (move: string) => `Premove ${move} was not possible`,
  premoveCancel: "Cancel the premove",
  /** Of the one premove that is kept, after an attempt to have another one too. */
  premoveOnly: (move: string) => `Only ${move} is kept.`,
  premoveSeveral: "Allow several",
  actions: "Actions",
  draw: "Offer a draw",
  drawSent: "Draw offered",
  /** The same on the narrow button, whose name has all of it. */
  drawSentShort: "Offered",
  drawSentUntil: "Draw offered until the opponent moves",
  /** The same after one that was declined: from which move on one may offer again, as moves are numbered; null: now. */
  drawDeclined: (move: number | null) => `Draw declined${move === null ? "" : ` · again from move ${move}`}`,
  /** Why a draw cannot be offered now. */
  noDraw: {
    unmoved: "A draw can be offered once both sides have moved.",
    early: (moves: number) => `In this game a draw can be offered once you have made ${moves} moves.`,
    again: (move: number) => `You can offer a draw again from move ${move} on.`,
    /** The same behind the words that it was declined. */
    againInShort: (move: number) => `You can offer again from move ${move} on.`,
  },
  /** The position on the board stood once before, in a game that a third time ends. */
  repeated: "Position repeated · a third time is a draw",
  drawOffered: (name: string) => `${name} offers a draw.`,
  ilcOffered: (name: string) => `${name} asks for a draw: insufficient losing chances.`,
  accept: "Accept",
  decline: "Decline",
  resign: "Resign",
  sure: {
    resign: { question: "Resign this game?", yes: "Yes, resign" },
    draw: { question: "Offer a draw?", yes: "Yes, offer" },
  },
  no: "No",
  abort: "Abort",
  takeback: "Take back",
  takebackSent: "Takeback requested",
  takebackOffered: (name: string, plies: number) =>
    `${name} asks to take back ${plies === 1 ? "a move" : "a move and the reply"}.`,
  giveTime: "Give 15 seconds",
  claim: "Claim a draw\u00a0…",
  claimReady: "You can claim a draw now.",
  claimTitle: "Claim a draw",
  claimNow: "Claim in this position",
  claimWith: (move: string) => `Claim with ${move}`,
  claimNothing: "By our count there is nothing to claim now. A wrong claim may cost you time.",
  /** Of the position on the board, or of the one after an intended move. */
  claimThreefold: (n: number, isAfterMove: boolean) =>
    `the position ${isAfterMove ? "after it " : ""}occurs for the ${n}${n === 3 ? "rd" : "th"} time`,
  claimFifty: (n: number) => `${n} moves of each side without a capture or pawn move`,
  claimAnyway: "Claim anyway",
  askIlc: "Insufficient losing chances",
  absence: "Your opponent is away.",
  absenceIn: (s: number) => `You can claim the win or a draw in ${s} s.`,
  absenceWin: "Claim the win",
  absenceDraw: "Claim a draw",
  close: "Close",
  copyPgn: "Copy PGN",
  savePgn: "Save PGN",
  copyFen: "Copy FEN",
  copyLink: "Copy the link",
  copied: "Copied",
  copyFailed: "Could not copy.",
  saveFen: "Save FEN",
  share: "Share and save",
  over: "The game is over",
  wins: (side: string) => `${side} wins`,
  draws: "Draw",
  noResult: "No result",
  youWin: "You win",
  youLose: "You lose",
  /** Why a side, or neither, can checkmate: said after the words that it cannot. */
  proofs: {
    material: "The material left does not allow it.",
    static: "The king can reach no square on which it could be checkmated.",
    exhaustive: (positions: number) =>
      positions === 1
        ? "No other position can arise any more."
        : `All ${positions.toLocaleString("en")} positions that can still arise were searched: it is possible in none.`,
    helpmate: (moves: number) =>
      `Checkmate was still possible: ${moves === 1 ? "by one move" : `by ${moves} moves of both sides`}.`,
    longHelpmate: "Checkmate was still possible, by a long line.",
    other: "It has been proved.",
  },
  special: (score: string) => `Result ${score}`,
  corrected: (day: string) => `The result was corrected on ${day}.`,
  playedOut: (score: string, reason: string) => `Played out: ${score}, ${reason}`,
};
