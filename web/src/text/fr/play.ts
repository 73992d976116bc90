/** French: chat, rematch and proofs. */
import type { Catalogue } from "..";

export const chat: Catalogue["play"]["chat"] = {
  title: "Chat",
  rooms: { players: "Joueurs", spectators: "Spectateurs" },
  room: "Salon",
  log: (room) => (room === "players" ? "Messages des joueurs" : "Messages des spectateurs"),
  input: (room) => (room === "players" ? "Écrire à l’autre joueur" : "Écrire aux spectateurs"),
  send: "Envoyer",
  placeholder: "Message",
  show: "Afficher la discussion",
  hide: "Masquer la discussion",
  go: "Aller à la discussion",
  unread: (n) => (n === 1 ? "1 nouveau message" : `${n} nouveaux messages`),
  empty: "Aucun message.",
  onlyPlayers: "Seuls les deux joueurs peuvent lire ceci.",
  onlySpectators: "Les joueurs ne peuvent lire ceci qu’après la partie.",
  closed: "Cette discussion est fermée.",
  onItsWay: "envoi",
  left: (n) => `encore ${n}`,
  said: "Envoyé.",
};

export const rematch: Catalogue["play"]["rematch"] = {
  offer: "Revanche",
  offering: "Proposition…",
  offered: "Revanche proposée",
  withdraw: "Retirer",
  theirs: (name) => `${name} propose une revanche.`,
  theirOffer: "Revanche ?",
  accept: "Accepter la\u00a0revanche",
  decline: "Refuser",
  declined: "La revanche a été refusée.",
  declinedShort: "refusée",
  declinedWhy: (why) => `La revanche a été refusée : ${why}`,
  reasons: {
    later: "Plus tard peut-être.",
    too_fast: "Trop rapide pour moi.",
    too_slow: "Trop lent pour moi.",
    other_time_control: "Une autre cadence, s’il vous plaît.",
    other_variant: "Une autre variante, s’il vous plaît.",
    other_rules: "D’autres règles, s’il vous plaît.",
    other_color: "L’autre couleur, s’il vous plaît.",
  },
  over: "La proposition de revanche n’est plus valable.",
  go: "Vers la revanche",
  another: "Nouvel adversaire",
  home: "Accueil",
  newGame: "Autre partie",
  easier: (level) => `Plus facile : niveau ${level}`,
  harder: (level) => `Plus difficile : niveau ${level}`,
  /** Of one player, beside the name. */
  points: (games: number, points: string) =>
    `Points après ${games === 1 ? "une partie" : `${games} parties`} : ${points}`,
  seriesShort: (games, own, theirs) => `${games === 1 ? "1 partie" : `${games} parties`} : ${own} – ${theirs}`,
  series: (own, theirs, rival) => `Vous ${own} – ${theirs} ${rival}`,
};

export const proof: Catalogue["play"]["proof"] = {
  show: "Voir comment",
  title: "La preuve",
  back: "Revenir au résultat",
  first: "Dernière position de la partie",
  previous: "Un coup de la preuve en arrière",
  next: "Un coup de la preuve en avant",
  last: "Le mat",
  play: "Dérouler",
  pause: "Pause",
  begin: (moves) =>
    `La partie s’est terminée ici. ${moves === 1 ? "Un coup mène" : `${moves} coups des deux camps mènent`} au mat.`,
  move: (n, all, move) => `${n} sur ${all} : ${move}`,
  mate: (n, all, move) => `${n} sur ${all} : ${move}, échec et mat`,
  inWords: (role, from, to, promotion) => `${role} ${from} en ${to}${promotion && `, promotion en ${promotion}`}`,
};
