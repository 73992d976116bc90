/** English: an invitation's page. */

export const challenge = {
  title: "Waiting for an opponent",
  text: "Send this link. The game begins when somebody opens it and joins.",
  link: "Link to the game",
  copy: "Copy the link",
  copied: "Copied",
  share: "Share",
  qr: "The link as a QR code",
  cancel: "Withdraw",
  cancelled: "The invitation was withdrawn.",
  keep: "The invitation is open for a day, or for a week where moves may take days. If it is accepted while you are away, a game with clocks begins when you are back.",
  acceptedBy: (name: string) => `${name} has accepted`,
  waitsFor: (name: string) => `You have accepted; ${name} is away`,
  whenBothAreHere:
    "The game begins as soon as both of you are here, if neither is playing. You may leave this page: the invitation stays for a day.",
  begin: "Begin now",
  invited: "You are invited to a game",
  invitedText: "The game has not started yet. If somebody sent you this link, join to start it.",
  invitedBy: (name: string) => `${name} invites you`,
  join: "Join the game",
  joining: "Joining …",
  gone: "There is no game or invitation here",
  goneText: "It may have been withdrawn, or the link may be incomplete.",
};
