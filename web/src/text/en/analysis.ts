/** English: the analysis board. */
import type { Mark } from "../../state/analysis/mistakes";
import type { Sign } from "../../state/analysis/noted";
import type { Shares } from "../../state/analysis/shares";

const count = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

export const analysis = {
  title: "Analysis",
  open: "Analyse",
  /** The same after a game that was lost to the computer. */
  openLesson: "Your mistakes",
  ofGame: (white: string, black: string) => `Analysis: ${white} – ${black}`,
  loading: "Loading the analysis board …",
  noGame: "There is no such game",
  notOver: "This game is still being played",
  notOverText: "A game can be analysed when it is over.",
  toGame: "Go to the game",
  moves: "Moves",
  noMoves: "Play a move on the board, type one, or load a game.",
  /** The menu beside the buttons that step. */
  more: "More",
  playFrom: "Play from here",
  firstPosition: "First position",
  promote: "Promote variation",
  remove: "Delete from here",
  removed: "Deleted",
  promoted: "Variation promoted",
  variation: "Side line",
  /** A line that the computer has shown, and the word before it. */
  shownLine: "Computer’s line",
  shown: "Computer:",
  /** The same of a line in which both sides work for the mate. */
  helpLine: "A way to mate",
  help: "A way to mate, both sides help:",
  typed: "Type a move",
  typedUnknown: (move: string) => `“${move}” is not a legal move here.`,
  typedSeveral: (move: string) => `“${move}” matches several moves.`,
  keys: "Left and right step through the line, up and down choose another move, Home and End go to its ends, f flips the board, m and Shift+M go to the next and the previous mistake.",
  position: "Position",
  asking: "Asking the server …",
  later: (seconds: number) => `The server is busy. Next try in ${seconds} s.`,
  failed: "The server could not be reached.",
  opening: (eco: string, name: string) => `${eco} ${name}`,
  startPosition: "Start position",
  ended: "The game ended here.",
  check: "Check",
  claims: (reasons: string) => `A draw could be claimed: ${reasons}`,
  /** On a phone, where one of these is shown at a time; their names fit a quarter of 320 px. */
  tabs: { explorer: "Explorer", mistakes: "Mistakes" },
  /** What finished games went on with in a position. */
  explorer: {
    title: "Opening explorer",
    none: "No game that was finished here had this position in its first 15 moves.",
    /** The last one of a line that finished games had. */
    lastKnown: (move: string) => `Last known position: ${move}`,
    move: "Move",
    games: "Games",
    results: "Result",
    shares: (of: Shares) => `White won ${of.white}%, drawn ${of.draw}%, Black won ${of.black}%`,
    all: "All",
    list: "List these games",
  },
  canMate: {
    title: "Can each side still mate?",
    question: (side: string) => `Can ${side} still mate?`,
    yes: "Yes",
    no: "No",
    unknown: "Not decided",
    unknownAbout:
      "A short search found neither a mate nor a proof that there is none. In a game the server searches on.",
    show: "Show how",
    shown: (moves: number) => (moves === 1 ? "One move was added" : `A line of ${moves} moves was added`),
  },
  setUp: {
    open: "Set up a position",
    use: "Use this position",
    palette: "Piece to put down",
    move: "Move pieces",
    bin: "Take pieces away",
    hint: "Arrow keys move between squares. Enter puts the chosen piece there, or takes away what stands there.",
    turn: "Side to move",
    castling: "Castling rights",
    clear: "Clear the board",
    /** What the last move lets a pawn capture; or nothing. */
    enPassant: "En passant",
    noEnPassant: "none",
  },
  evaluation: {
    title: "Evaluation",
    playing: "This is not evaluated while you are playing a game.",
    rejected: "The server does not evaluate this position.",
    noGuest: (why: string) =>
      `This is evaluated for guests and players, and the server could not make you a guest. ${why}`.trim(),
    none: "No evaluation here",
    notHere: "Only games that are over are evaluated: a PGN needs a result. So nobody gets help while they play.",
    /** What there is in its place, by the titles on the page. */
    instead: (parts: string) => `Instead: ${parts}`,
    /** The way from there to the games of everybody. */
    choose: "Choose a finished game",
    noted: "The evaluations are those of the PGN.",
    notedMarks: "The marks are those of the PGN. It has no evaluations.",
    asking: "Evaluating …",
    busy: "The server is busy: it evaluates when it has time …",
    mate: (side: string, moves: number) => `${side} mates in ${moves}`,
    mated: "Checkmate",
    white: (pawns: string) => `White is better by ${pawns}`,
    black: (pawns: string) => `Black is better by ${pawns}`,
    even: "Even",
    depth: (plies: number) => `depth ${plies}`,
    /** Where there is little room. */
    shortDepth: (plies: number) => `depth ${plies}`,
    best: (moves: string) => `Best: ${moves}`,
    add: "Add this line",
    lines: "The best moves",
    /** Shows every line to its end. */
    unfold: "All lines in full",
    line: (score: string, moves: string) => `Add: ${score}, ${moves}`,
    searching: "searching deeper …",
    deeper: "Deeper",
    deepest: "as deep as it goes",
    chartTitle: "Evaluation by move: the higher the line, the better for White",
    chart: "Evaluation by move, and the mistakes",
  },
  whole: {
    title: "The whole game",
    start: "Analyse the whole game",
    stop: "Stop",
    progress: (done: number, all: number) => `${done} of ${all} positions`,
    done: "The whole game is analysed.",
    firstMistake: "The whole game is analysed. This is your first mistake.",
    rejected: "The server does not evaluate this game.",
    marks: { "?!": "inaccuracy", "?": "mistake", "??": "blunder" } as Record<Mark, string>,
    /** After what kind of mistake a move was. */
    bestWas: (best: string) => `best was ${best}`,
    /** The way to it, from any other move. */
    worst: (move: string) => `Worst move: ${move}`,
    /** What the position was worth before a mistake and after it, as it is read out. */
    cost: (before: string, after: string) => `before: ${before}, after: ${after}`,
    showBest: (best: string) => `Show ${best} as a side line`,
    sum: (side: string, inaccuracies = 0, mistakes = 0, blunders = 0) =>
      `${side}: ${count(inaccuracies, "inaccuracy", "inaccuracies")}, ${count(mistakes, "mistake", "mistakes")}, ${count(blunders, "blunder", "blunders")}.`,
    counted: { "?!": "inaccuracies", "?": "mistakes", "??": "blunders" } as Record<Mark, string>,
    accuracy: "accuracy",
    lost: "pawns lost per move",
    nextMistake: "Next mistake",
    previousMistake: "Previous mistake",
    worstMove: "Worst move",
    rule: "How mistakes are marked",
    ruleText: ([inaccuracy, mistake, blunder]: readonly string[]) =>
      `A move is marked when it makes its side’s share of the bar beside the board much smaller: by 5% or more it is an inaccuracy (${inaccuracy}), by 10% a mistake (${mistake}), by 15% a blunder (${blunder}), as on lichess.org. In an even position that is about 0.5, 1.1 and 1.7 pawns. The computer looks about twelve plies ahead and may be wrong. The move that it would have played is never marked. The worst move is the marked one that loses most of the bar. “Pawns lost per move” is what a side’s moves gave away on average, in pawns, of at most ten at a time. A move that loses nothing is 100% accurate, and each 16% of the bar that it loses halves that; “accuracy” is halfway between the average and the harmonic mean of a side’s moves, so that bad moves weigh more.`,
  },
  /** What a PGN says of a move and of the position after it, as it is read out. */
  signs: {
    "!": "good move",
    "!!": "brilliant move",
    "!?": "interesting move",
    "=": "equal",
    "∞": "unclear",
    "+=": "White is slightly better",
    "=+": "Black is slightly better",
    "±": "White is better",
    "∓": "Black is better",
    "+−": "White is winning",
    "−+": "Black is winning",
  } as Record<Sign, string>,
  /** Looking for better moves in the places of one's mistakes. */
  learn: {
    title: "Learn from mistakes",
    /** While the mistakes are not known. */
    before: "Analyse the whole game to see its mistakes here and to learn from them.",
    start: (mistakes: number) => `Learn from your mistakes (${mistakes})`,
    /** Before the buttons of both sides, which name the side and how many mistakes it can learn from. */
    both: "Learn:",
    noneOwn: "You made no mistakes.",
    none: "No mistakes.",
    /** `isGrowing`: the game is still analysed. */
    progress: (at: number, all: number, isGrowing: boolean) => `${at} of ${all}${isGrowing ? " so far" : ""}`,
    /** Without a full stop, as a move with its mark ends it. */
    youPlayed: (move: string) => `You played ${move}`,
    played: (side: string, move: string) => `${side} played ${move}`,
    find: (side: string) => `Find a better move for ${side}.`,
    asking: (move: string) => `Looking at ${move} …`,
    /** What the position was worth after the move that was played. */
    inGame: (worth: string) => `in the game: ${worth}`,
    right: (move: string) => `Right: ${move}.`,
    good: (move: string, best: string) => `Good enough: ${move}. The computer preferred ${best}.`,
    wrong: (move: string) => `Not yet: ${move} loses too much. Try again.`,
    /** The same, with the move that shows it. */
    answered: (move: string, answer: string) => `Not yet: ${move} is answered by ${answer}. Try again.`,
    shown: (best: string) => `The computer preferred ${best}.`,
    show: "Show the move",
    next: "Next",
    stop: "Stop",
    soFar: (found: number, all: number) =>
      `${found} of ${all} found so far. More mistakes may come: the game is still being analysed.`,
    another: "There is another mistake.",
    done: (found: number, all: number) => `Done: ${found} of ${all} found`,
    again: "Begin again",
    leave: "Back to the analysis",
    keys: "Escape leads back to the analysis.",
  },
  times: {
    title: "Times",
    chart: (hasClocks: boolean) =>
      `Time for each move, White above and Black below${hasClocks ? ", and the clocks as lines" : ""}`,
    longest: (time: string, hasClocks: boolean) =>
      `White above, Black below. Longest: ${time}.${hasClocks ? " Lines: clocks." : ""}`,
    table: "Times as a table",
    move: "Move",
    took: "Time",
    clock: "Clock",
    seconds: (s: string) => `${s} s`,
  },
  exchange: {
    begin: "Begin another analysis",
    title: "Load a FEN or a PGN",
    paste: "Paste a FEN or a PGN",
    load: "Load",
    loading: "Checking the moves …",
    loaded: (what: string) => `Loaded: ${what}`,
    loadedMoves: "The moves are loaded.",
    loadedPosition: "The position is loaded.",
    onlyFirst: "Only the first of its games is shown.",
    notKept: "This PGN is no longer kept in this tab. Paste it again.",
    playedHere: "This game was played here: open its analysis",
    copyPgn: "Copy PGN",
    savePgn: "Save PGN",
    savePicture: "Save a picture",
    copyFen: "Copy FEN",
    copyLink: "Copy a link to this position",
    restart: "New analysis",
    badFen: (why: string) => `This is not a possible position: ${why}.`,
    neither: "This is neither a FEN nor a PGN.",
    empty: "There is neither a position nor a move in this text.",
    bracket: (at: string) => `A bracket or brace has no counterpart near “${at}”.`,
    variation: (at: string) => `A side line stands before any move: “${at}”.`,
    long: "This is too long: at most 3,000 moves in 100 lines are read.",
    notPlayed: (move: string, why: string) => `${move} cannot be played: ${why}`,
    illegal: "the position does not allow it.",
    ambiguous: "more than one piece can go there.",
    noMove: "this is not a move.",
  },
};
