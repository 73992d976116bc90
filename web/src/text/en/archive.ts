/** English: finished games, and the search for them. */
import type { WireReason } from "#protocol";
import type { Category } from "../../state/gameFilter";
import type { Fate } from "../../state/played";

const fates: Record<Fate, string> = { won: "Won", lost: "Lost", drawn: "Drawn", noResult: "No result" };
const categories: Record<Category, string> = {
  bullet: "Bullet",
  blitz: "Blitz",
  rapid: "Rapid",
  classical: "Classical",
  correspondence: "Correspondence",
  chess960: "Chess960",
};
/** In a list of choices, so shorter than where a game has ended. */
const reasons: Record<WireReason, string> = {
  checkmate: "Checkmate",
  resignation: "Resignation",
  flag_fall: "Out of time",
  abandonment: "A player left",
  agreement: "Agreement",
  stalemate: "Stalemate",
  dead_position: "Dead position",
  threefold_repetition: "Threefold repetition",
  fifty_moves: "Fifty moves",
  fivefold_repetition: "Fivefold repetition",
  seventy_five_moves: "Seventy-five moves",
  aborted: "Aborted",
  first_move_limit: "No first move",
  both_away: "Both away",
  arbiter: "Arbiter",
};

export const archive = {
  fates,
  categories,
  reasons,
  filters: "Filters",
  any: "Any",
  player: "Player",
  /** The page of the games of everybody, and the way there. */
  title: "Games",
  all: "All games",
  elsewhere: "Played elsewhere",
  /** Beside the name of a player without an account. */
  imported: "games played elsewhere",
  /** A condition: where they were played. */
  origin: "Games",
  origins: { here: "Played here", imported: "Played elsewhere" },
  of: (name: string) => `Games of ${name}`,
  opponent: "Opponent",
  color: "Played as",
  /** In the place of a choice that there is not before a player is named. */
  needsPlayer: "Needs a player",
  fate: "Result",
  reason: "Ended by",
  category: "Category",
  rated: "Rated or casual",
  isRated: "Rated",
  isCasual: "Casual",
  since: "From",
  until: "To",
  opening: "Opening",
  /** The field at the head of the games of everybody, while the form is folded. */
  playerOrOpening: "Player or opening",
  /** All openings that these words fit, as one choice. */
  allNamed: (words: string) => `All with “${words}” in the name`,
  examples: { name: "Name, or its start", opening: "Sicilian, or 1. e4 c5" },
  more: "More filters",
  search: "Search",
  clear: "Clear",
  without: (condition: string) => `Remove “${condition}”`,
  none: "No game matches.",
  emptyAll: "No game has been finished here yet.",
  empty: (name: string) => `The games that ${name} finishes come here, with the record.`,
  emptyOwn: "The games that you finish come here, with your record.",
  play: "Play a game",
  counts: {
    games: (n: string) => `Games: ${n}`,
    won: (n: string) => `won ${n}`,
    drawn: (n: string) => `drawn ${n}`,
    lost: (n: string) => `lost ${n}`,
    others: (n: string) => `no result ${n}`,
  },
  /** `among`: how many of the latest games were looked at, if those are not all. */
  byPart: (n: number, among: number | null) => {
    const games = n === 0 ? "No game matches" : n === 1 ? "1 game matches" : `${n} games match`;
    return among === null ? `${games}.` : `${games}, among the latest ${among}.`;
  },
  searchOn: "Search older games",
  atLeast: (n: string) => `${n} or more`,
  indexing: "Older games are still being indexed and may be missing.",
  downloadAll: "Download all as PGN",
  downloadThese: "Download these as PGN",
  analysisOf: (white: string, black: string) => `Analyse ${white} against ${black}`,
  hadSide: (name: string, side: string) => `${name} had ${side}`,
  /** The name under which a player who has another one today has played a game. */
  under: (name: string, then: string) => `${name} played as ${then}`,
  now: (name: string) => `now ${name}`,
  gained: (change: string) => `Rating ${change}`,
  badOpening: "These opening moves cannot be played.",
  noOpening: (name: string) => `No opening has “${name}” in its name.`,
  withOpening: (name: string) => `Games with ${name}`,
  longOpening: "Games are found by at most 30 moves of both sides.",
  rejected: "The server could not search for that.",
};
