/** French: other players: ratings, blocking, muting, reporting. */
import type { Catalogue } from "..";

export const people: Catalogue["people"] = {
  rating: (points, isProvisional) => (isProvisional ? `${points}?` : String(points)),
  ratingInWords: (points, isProvisional) =>
    isProvisional ? `classement ${points}, provisoire` : `classement ${points}`,
  score: (own, theirs, name) => `Vous ${own} – ${theirs} ${name}`,
  met: (n, others) => {
    const games = n === 1 ? "1 partie" : `${n} parties`;
    if (others === 0) return games;
    return others === n ? `${games} sans résultat` : `${games}, dont ${others} sans résultat`;
  },
  neverMet: "Vous n’avez pas encore joué ensemble.",
  beginning: (name) => `Joueurs dont le nom commence par « ${name} »`,
  memberSince: (month) => `Membre depuis ${month}`,
  challenge: "Défier",

  record: {
    title: "Bilan",
    sides: { both: "Toutes les parties", white: "Avec les Blancs", black: "Avec les Noirs" },
  },

  ratings: {
    title: "Classements",
    category: "Catégorie",
    games: (n) => (n === 1 ? "1 partie" : `${n} parties`),
    chart: (category, first, last, low, high) =>
      `${category} : de ${first} à ${last}, le plus bas ${low}, le plus haut ${high}`,
    latest: (n) => `${n} dernières parties`,
    peak: (rating, day) => `Record ${rating} (${day})`,
    bestWin: (rating) => `Meilleure victoire contre ${rating}`,
    opponents: (rating) => `Adversaires : ${rating} en moyenne`,
    table: "En tableau",
    older: "Parties antérieures",
    day: "Jour",
    change: "Classement",
    result: "Résultat",
    withdrawn: "ne compte plus",
    corrected: "corrigé",
    step: (before, after) => `${before} → ${after}`,
    provisional: "? veut dire provisoire : trop peu de parties récentes pour s’y fier.",
  },

  follow: {
    begin: "Suivre",
    is: "Suivi",
    end: "Ne plus suivre",
    about: "Les joueurs que vous suivez sont sur votre page d’accueil. Personne d’autre ne le voit.",
    begun: (name) => `Vous suivez ${name}.`,
    ended: (name) => `Vous ne suivez plus ${name}.`,
    full: (most) => `Vous suivez déjà ${most} joueurs, le maximum. Cessez d’abord d’en suivre un.`,
    title: "Joueurs que vous suivez",
    watch: (name) => `Regarder ${name}`,
    playing: (name) => (name ? `joue contre ${name}` : "joue"),
    playingYou: "joue contre vous",
    watchNow: "Regarder",
    away: (n) => `${n} hors ligne`,
  },
  block: "Bloquer",
  unblock: "Débloquer",
  blockOrReport: "Bloquer ou signaler",
  blockAbout: "Aucun de vous deux ne reçoit de défis, d’appariements ni de messages de l’autre.",
  blocked: (name) => `${name} est bloqué.`,
  unblocked: (name) => `${name} n’est plus bloqué.`,
  mute: "Masquer",
  unmute: "Lire à nouveau",
  muteOf: (name) => `Masquer ${name}`,
  unmuteOf: (name) => `Lire à nouveau ${name}`,
  blockOf: (name) => `Bloquer ${name}`,
  reportOf: (name) => `Signaler ${name}`,
  muted: (name) => `Vous ne voyez plus ce qu’écrit ${name}.`,
  unmuted: (name) => `Vous voyez à nouveau ce qu’écrit ${name}.`,
  hidden: (n) =>
    n === 1
      ? "1 message d’un joueur masqué n’est pas montré."
      : `${n} messages de joueurs masqués ne sont pas montrés.`,

  report: {
    button: "Signaler",
    title: (name) => `Signaler ${name}`,
    text: "Les administrateurs de ce serveur le lisent. Le joueur n’en sait rien.",
    reason: "Motif",
    reasons: { cheating: "Triche", insults: "Insultes", spam: "Spam", other: "Autre chose" },
    lines: "Messages dont il s’agit",
    linesAbout: "Le serveur les ajoute tels qu’ils ont été écrits.",
    noLines: "Ce joueur n’a rien écrit ici.",
    about: "Ce qui s’est passé",
    submit: "Envoyer le signalement",
    done: (number) => `Merci. Votre signalement porte le numéro ${number}.`,
  },

  chat: {
    people: "Joueurs de cette discussion",
    nobody: "Personne d’autre n’a encore écrit ici.",
    phrases: "Phrases toutes faites",
  },

  rated: {
    off: "Seuls les joueurs inscrits jouent des parties classées.",
    toJoin:
      "Cette partie est classée : inscrivez-vous ou connectez-vous pour la rejoindre. Un nom et un mot de passe suffisent.",
    notThis:
      "Les parties classées partent de la position habituelle, avec la même pendule pour les deux, et selon des règles sans reprise de coups.",
    submit: (what, isRated) => `${what} (${isRated ? "classée" : "amicale"})`,
    range: "Seulement pour les classements",
    least: "de",
    most: "à",
    anyRating: "tous",
    from: (least) => `classement à partir de ${least}`,
    upTo: (most) => `classement jusqu’à ${most}`,
    between: (least, most) => `classement de ${least} à ${most}`,
    pools: "Les parties de deux joueurs inscrits sont classées.",
  },
};
