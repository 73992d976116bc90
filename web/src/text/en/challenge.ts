/** English: an invitation's page. */
import type { EndCode } from "../../state/invitations";

/** For the player who made it, and for others. */
const own: Record<EndCode, string> = {
  challenge_expired: "Nobody accepted in time",
  challenge_cancelled: "The invitation was withdrawn",
  challenge_declined: "The challenge was declined",
  challenge_taken: "The invitation was accepted",
};
const others: Record<EndCode, string> = {
  challenge_expired: "This invitation has expired",
  challenge_cancelled: "This invitation was withdrawn",
  challenge_declined: "This challenge was declined",
  challenge_taken: "Somebody else has accepted this invitation",
};

export const challenge = {
  title: "Waiting for an opponent",
  waitingFor: (name: string) => `Waiting for ${name}`,
  text: "Send this link. The first to join plays you.",
  link: "Link to the game",
  copy: "Copy the link",
  copied: "Copied",
  share: "Share",
  qr: "The link as a QR code",
  scan: "Scan to join",
  cancel: "Withdraw",
  until: (when: string) => `Open until ${when}.`,
  /** `by`: the one player who can accept, if it is for one. */
  keep: (by: string | null, hasClocks: boolean) =>
    `You can leave this page. If ${by ?? "somebody"} accepts while you are away, the game begins ${hasClocks ? "when you are back" : "at once"}.`,
  acceptedBy: (name: string) => `${name} has accepted`,
  waitsFor: (name: string) => `You have accepted; ${name} is away`,
  whenBothAreHere:
    "The game begins as soon as you are both here and neither of you is playing. You can leave this page: the invitation stays open for a day.",
  begin: "Begin now",
  invited: "You are invited to a game",
  invitedText: "The game has not started yet. If somebody sent you this link, join to start it.",
  invitedBy: (name: string) => `${name} invites you`,
  notYours: (name: string) => `${name} challenges somebody else`,
  clocksStart: "The clocks start after the first moves.",
  join: "Join the game",
  joining: "Joining …",
  /** To an invitation that others may accept: nothing is sent. */
  noThanks: "No, thanks",
  /** Where the game that came of it is shown. */
  takenWatching: "Somebody else has accepted this invitation. You are watching the game.",
  endedTitle: "Your invitations",
  ended: { own, others },
  again: "Make it again",
  againTo: (name: string) => `Challenge ${name} again`,
  changeTerms: "Change the terms",
  /** The same in one word, which the sentence has in it. */
  change: "Change",
  /** In the form with other terms for an invitation by link. */
  newLink: "The link you sent will no longer lead to a game. Send the new one.",
  /** Of one that was withdrawn. */
  replaced: (name: string) => `${name} may have made a new one with different terms: ask for its link.`,
  somebodyElse: "Play somebody else",
  wentTo: (name: string) => `It had gone to ${name}.`,
  againYours: "You can make it again and send the new link back.",
  newText: "Ask for a new link, or send one yourself.",
  newOne: "Make a new invitation",
  /** Of one whose terms are known. */
  closed: "This invitation is no longer open",
  closedText: "It may have been withdrawn.",
  gone: "There is no game or invitation here",
  goneText: "It may have been withdrawn, or the link may be incomplete.",
};
