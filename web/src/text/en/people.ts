/** English: other players: ratings, blocking, muting, reporting. */
import type { ReportReason } from "../../state/reports";

const reasons: Record<ReportReason, string> = {
  cheating: "Cheating",
  insults: "Insults",
  spam: "Spam",
  other: "Something else",
};

export const people = {
  rating: (points: number, isProvisional: boolean) => (isProvisional ? `${points}?` : String(points)),
  ratingInWords: (points: number, isProvisional: boolean) =>
    isProvisional ? `rating ${points}, provisional` : `rating ${points}`,
  score: (own: string, theirs: string, name: string) => `You ${own} – ${theirs} ${name}`,
  /** `others`: how many of them have no result. */
  met: (n: number, others: number) => {
    const games = n === 1 ? "1 game" : `${n} games`;
    if (others === 0) return games;
    return others === n ? `${games} without a result` : `${games}, ${others} without a result`;
  },
  neverMet: "You two have not played yet.",
  beginning: (name: string) => `Players whose names begin with “${name}”`,
  memberSince: (month: string) => `Member since ${month}`,
  challenge: "Challenge",

  /** Finished games: how many were won, drawn and lost. */
  record: {
    title: "Record",
    sides: { both: "All games", white: "As White", black: "As Black" },
  },

  ratings: {
    title: "Ratings",
    category: "Category",
    games: (n: number) => (n === 1 ? "1 game" : `${n} games`),
    chart: (category: string, first: number, last: number, low: number, high: number) =>
      `${category}: from ${first} to ${last}, lowest ${low}, highest ${high}`,
    latest: (n: number) => `Latest ${n} games`,
    peak: (rating: string, day: string) => `Highest ${rating} (${day})`,
    bestWin: (rating: number) => `Best win against ${rating}`,
    opponents: (rating: number) => `Opponents ${rating} on average`,
    table: "As a table",
    older: "Earlier games",
    day: "Day",
    change: "Rating",
    result: "Result",
    withdrawn: "no longer counts",
    corrected: "corrected",
    step: (before: number, after: number) => `${before} → ${after}`,
    provisional: "? means provisional: too few games lately to rely on it.",
  },

  follow: {
    begin: "Follow",
    /** The button that ends it, while one follows. */
    is: "Following",
    end: "Stop following",
    about: "Players whom you follow are listed on your home page. Nobody else sees it.",
    begun: (name: string) => `You follow ${name}.`,
    ended: (name: string) => `You no longer follow ${name}.`,
    full: (most: number) => `You follow ${most} players, as many as one may. Stop following one first.`,
    title: "Players you follow",
    watch: (name: string) => `Watch ${name}`,
    playing: (name: string) => (name ? `playing ${name}` : "playing"),
    playingYou: "playing you",
    watchNow: "Watch",
    away: (n: number) => `${n} offline`,
  },
  block: "Block",
  unblock: "Unblock",
  blockOrReport: "Block or report",
  blockAbout: "Neither of you gets challenges, pairings or chat messages of the other.",
  blocked: (name: string) => `${name} is blocked.`,
  unblocked: (name: string) => `${name} is no longer blocked.`,
  mute: "Mute",
  unmute: "Unmute",
  muteOf: (name: string) => `Mute ${name}`,
  unmuteOf: (name: string) => `Unmute ${name}`,
  blockOf: (name: string) => `Block ${name}`,
  reportOf: (name: string) => `Report ${name}`,
  muted: (name: string) => `You no longer see what ${name} writes.`,
  unmuted: (name: string) => `You see again what ${name} writes.`,
  hidden: (n: number) =>
    n === 1 ? "1 message of a muted player is hidden." : `${n} messages of muted players are hidden.`,

  report: {
    button: "Report",
    title: (name: string) => `Report ${name}`,
    text: "The admins of this server read it. The player is not told.",
    reason: "Reason",
    reasons,
    lines: "Messages that the report is about",
    linesAbout: "The server adds them as they were written.",
    noLines: "This player has written nothing here.",
    about: "What happened",
    submit: "Send the report",
    done: (number: number) => `Thank you. Your report has number ${number}.`,
  },

  chat: {
    people: "Players in this chat",
    nobody: "Nobody else has written here yet.",
    phrases: "Ready phrases",
  },

  rated: {
    off: "Only registered players play rated games.",
    toJoin: "This game is rated: register or sign in to join it. A name and a password are enough.",
    notThis:
      "Rated games start from the usual position, with the same clock for both sides, under rules without takebacks.",
    /** On the button that makes the game. */
    submit: (what: string, isRated: boolean) => `${what} (${isRated ? "rated" : "casual"})`,
    range: "Only for ratings",
    least: "from",
    most: "to",
    anyRating: "any",
    from: (least: number) => `rating ${least} or more`,
    upTo: (most: number) => `rating ${most} or less`,
    between: (least: number, most: number) => `rating ${least} to ${most}`,
    pools: "Games of two registered players are rated.",
  },
};
