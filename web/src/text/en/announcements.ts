/** English: sentences that are read out during a game. */

export const announcements = {
  move: (side: string, move: string) => `${side}: ${move}`,
  castlesShort: "castles short",
  castlesLong: "castles long",
  takes: "takes",
  promotes: (role: string) => `promotes to ${role}`,
  check: "check",
  mate: "checkmate",
  drawOffered: (name: string) => `${name} offers a draw`,
  drawDeclined: (name: string) => `${name} declines the draw`,
  takebackOffered: (name: string) => `${name} asks for a takeback`,
  takebackDeclined: (name: string) => `${name} declines the takeback`,
  takenBack: "Moves were taken back",
  claimed: (side: string, right: boolean) => `${side} claims a draw${right ? "" : ", incorrectly"}`,
  giveTime: (side: string) => `${side} gives extra time`,
  penalty: "Time was adjusted after a wrong claim",
  arbiter: "The arbiter adjusted the clocks",
  remedied: "The request was declined. Each move now adds time.",
  away: (side: string) => `${side} is away`,
  back: (side: string) => `${side} is back`,
  began: (side: string | null) => (side ? `The game begins. You play ${side}.` : "The game begins."),
  flag: (side: string) => `${side}'s flag has fallen`,
  resigned: (side: string) => `${side} resigns`,
  firstMove: (seconds: number) => `You have ${seconds} seconds for your first move`,
  left: (side: string, seconds: number) => `${side}: ${seconds} seconds left`,
  over: (result: string, reason: string) => `${result}. ${reason}.`,
  premove: (move: string) => `Premove ${move}`,
  premoveGone: "Premove cancelled",
  duration: (h: number, m: number, s: number) =>
    [
      h ? `${h} ${h === 1 ? "hour" : "hours"}` : "",
      m ? `${m} ${m === 1 ? "minute" : "minutes"}` : "",
      s || (!h && !m) ? `${s} ${s === 1 ? "second" : "seconds"}` : "",
    ]
      .filter(Boolean)
      .join(" "),
};
