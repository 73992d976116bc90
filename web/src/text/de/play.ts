/** German: chat, rematch and proofs. */
import type { Catalogue } from "..";

export const chat: Catalogue["play"]["chat"] = {
  title: "Chat",
  rooms: { players: "Spieler", spectators: "Zuschauer" },
  room: "Raum",
  log: (room) => (room === "players" ? "Nachrichten der Spieler" : "Nachrichten der Zuschauer"),
  input: (room) => (room === "players" ? "Dem anderen Spieler etwas sagen" : "Den Zuschauern etwas sagen"),
  send: "Senden",
  placeholder: "Nachricht",
  show: "Chat zeigen",
  hide: "Chat verbergen",
  go: "Zum Chat",
  unread: (n) => (n === 1 ? "1 neue Nachricht" : `${n} neue Nachrichten`),
  empty: "Noch keine Nachrichten.",
  onlyPlayers: "Das können nur die beiden Spieler lesen.",
  onlySpectators: "Die Spieler können das erst nach der Partie lesen.",
  closed: "Dieser Chat ist geschlossen.",
  onItsWay: "wird gesendet",
  left: (n) => `noch ${n}`,
  said: "Gesendet.",
};

export const rematch: Catalogue["play"]["rematch"] = {
  offer: "Revanche",
  offering: "Biete an …",
  offered: "Revanche angeboten",
  withdraw: "Zurückziehen",
  theirs: (name) => `${name} bietet eine Revanche an.`,
  theirOffer: "Revanche?",
  accept: "Revanche annehmen",
  decline: "Ablehnen",
  declined: "Die Revanche wurde abgelehnt.",
  declinedShort: "abgelehnt",
  declinedWhy: (why) => `Die Revanche wurde abgelehnt: ${why}`,
  reasons: {
    later: "Vielleicht später.",
    too_fast: "Zu schnell für mich.",
    too_slow: "Zu langsam für mich.",
    other_time_control: "Bitte eine andere Bedenkzeit.",
    other_variant: "Bitte eine andere Variante.",
    other_rules: "Bitte andere Regeln.",
    other_color: "Bitte die andere Farbe.",
  },
  over: "Das Angebot einer Revanche gilt nicht mehr.",
  go: "Zur Revanche",
  another: "Neuer Gegner",
  home: "Startseite",
  newGame: "Neue Partie",
  easier: (level) => `Leichter: Stufe ${level}`,
  harder: (level) => `Schwerer: Stufe ${level}`,
  /** Of one player, beside the name. */
  points: (games: number, points: string) =>
    `Punkte nach ${games === 1 ? "einer Partie" : `${games} Partien`}: ${points}`,
  seriesShort: (games, own, theirs) => `${games === 1 ? "1 Partie" : `${games} Partien`}: ${own} – ${theirs}`,
  series: (own, theirs, rival) => `Du ${own} – ${theirs} ${rival}`,
};

export const proof: Catalogue["play"]["proof"] = {
  show: "Ansehen",
  title: "Der Beweis",
  back: "Zurück zum Ergebnis",
  first: "Letzte Stellung der Partie",
  previous: "Einen Zug im Beweis zurück",
  next: "Einen Zug im Beweis vor",
  last: "Das Matt",
  play: "Abspielen",
  pause: "Anhalten",
  begin: (moves) =>
    `Hier endete die Partie. ${moves === 1 ? "Ein Zug führt" : `${moves} Züge beider Seiten führen`} zum Matt.`,
  move: (n, all, move) => `${n} von ${all}: ${move}`,
  mate: (n, all, move) => `${n} von ${all}: ${move}, Matt`,
  inWords: (role, from, to, promotion) => `${role} ${from} nach ${to}${promotion && `, wird ${promotion}`}`,
};
