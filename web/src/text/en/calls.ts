/** English: what calls a player back, and challenges during a game. */

export const calls = {
  began: (rival: string) => `Your game against ${rival} begins`,
  yourMove: (rival: string) => `Your move against ${rival}`,
  drawOffered: (rival: string) => `${rival} offers a draw`,
  answer: "You can accept or decline.",
  over: (rival: string, reason: string) => `Against ${rival}. ${reason}.`,
  ended: (rival: string, result: string) => `Your game against ${rival} has ended: ${result}.`,
  running: (rival: string) => `Your game against ${rival} is running.`,
  /** Beside that one. */
  another: "Play another one",
  meanwhile: "Meanwhile",
  endedTitle: "Recently ended",
  challenged: (name: string) => `${name} challenges you`,
  /** What stands after the name of whoever does it. */
  challenges: "challenges you",
  asksRematch: "asks for a rematch",
  notifyMe: "Notify me",
  notifyAbout: "The browser tells you when the game begins and when it is your turn.",
  notifyOn: "You will be notified when you are elsewhere.",
  notifyBlocked: "This browser does not allow notifications from here.",
  toast: "Challenge",
  hide: "Hide",
};
