/** English: chat, rematch and proofs. */
import type { ChatRoom, DeclineReason } from "#protocol";

const rooms: Record<ChatRoom, string> = { players: "Players", spectators: "Spectators" };
/** Of those that decline without one nothing is said but that they do. */
const declined: Record<Exclude<DeclineReason, "no">, string> = {
  later: "Maybe later.",
  too_fast: "Too fast for me.",
  too_slow: "Too slow for me.",
  other_time_control: "Another time control, please.",
  other_variant: "Another variant, please.",
  other_rules: "Other rules, please.",
  other_color: "The other colour, please.",
};

export const chat = {
  title: "Chat",
  rooms,
  room: "Room",
  log: (room: ChatRoom) => `Messages of the ${room === "players" ? "players" : "spectators"}`,
  input: (room: ChatRoom) => `Say something to the ${room === "players" ? "other player" : "spectators"}`,
  send: "Send",
  placeholder: "Message",
  show: "Show the chat",
  hide: "Hide the chat",
  go: "Go to the chat",
  unread: (n: number) => (n === 1 ? "1 new message" : `${n} new messages`),
  empty: "No messages yet.",
  onlyPlayers: "Only the two players can read this.",
  onlySpectators: "The players cannot read this until the game is over.",
  closed: "This chat is closed.",
  onItsWay: "sending",
  left: (n: number) => `${n} left`,
  said: "Sent.",
};

export const rematch = {
  offer: "Rematch",
  offering: "Offering …",
  offered: "Rematch offered",
  withdraw: "Withdraw",
  theirs: (name: string) => `${name} offers a rematch.`,
  /** The same beside the result, in one line: its buttons answer it. */
  theirOffer: "Rematch?",
  accept: "Accept rematch",
  decline: "Decline",
  declined: "The rematch was declined.",
  /** The same on the button, below what it is called. */
  declinedShort: "declined",
  declinedWhy: (why: string) => `The rematch was declined: ${why}`,
  reasons: declined,
  /** Of one that was withdrawn, or whose time has come. */
  over: "The offer of a rematch no longer stands.",
  go: "To the rematch",
  another: "New opponent",
  home: "Home page",
  /** Against the computer. */
  newGame: "New game",
  easier: (level: number) => `Easier: level ${level}`,
  harder: (level: number) => `Harder: level ${level}`,
  /** Of one player, beside the name. */
  points: (games: number, points: string) => `Points after ${games === 1 ? "one game" : `${games} games`}: ${points}`,
  /** The same in few letters. */
  seriesShort: (games: number, own: string, theirs: string) =>
    `${games === 1 ? "1 game" : `${games} games`}: ${own} – ${theirs}`,
  series: (own: string, theirs: string, rival: string) => `You ${own} – ${theirs} ${rival}`,
};

export const proof = {
  show: "Show how",
  title: "The proof",
  back: "Back to the result",
  first: "Last position of the game",
  previous: "One move back in the proof",
  next: "One move forward in the proof",
  last: "The checkmate",
  play: "Play it out",
  pause: "Pause",
  begin: (moves: number) =>
    `The game ended here. ${moves === 1 ? "One move leads" : `${moves} moves of both sides lead`} to checkmate.`,
  move: (n: number, all: number, move: string) => `${n} of ${all}: ${move}`,
  mate: (n: number, all: number, move: string) => `${n} of ${all}: ${move}, checkmate`,
  inWords: (role: string, from: string, to: string, promotion: string) =>
    `${role} ${from} to ${to}${promotion && `, promotes to ${promotion}`}`,
};
