/** French: one's own account: signing in, devices, tokens, contacts. */
import type { Catalogue } from "..";

export const account: Catalogue["account"] = {
  kinds: { guest: "invité", registered: "compte", bot: "bot" },
  categories: {
    bullet: "Bullet",
    blitz: "Blitz",
    rapid: "Rapide",
    classical: "Classique",
    correspondence: "Correspondance",
    chess960: "Chess960",
  },
  codes: {
    no_server: "Le serveur est injoignable. Rien n’a été changé.",
    no_identity: "Vous n’êtes plus connecté ici.",
    already_registered: "Ce navigateur est déjà connecté. Rechargez la page.",
    bad_password: "Un mot de passe a de 10 à 128 caractères et n’est pas le nom.",
    short_password: "Le mot de passe est trop court : au moins 10 caractères.",
    long_password: "Le mot de passe est trop long : au plus 128 caractères.",
    password_is_name: "Le mot de passe est le même que le nom.",
    wrong_password: "Le mot de passe est incorrect.",
    wrong_name_or_password: "Aucun compte n’a ce nom et ce mot de passe.",
    wrong_code: "Aucun compte n’a ce nom et ce code de secours.",
    second_factor_needed: "Ce compte demande aussi un code de l’application de son propriétaire.",
    wrong_second_factor: "Ce code est incorrect, trop ancien ou déjà utilisé.",
    has_second_factor: "Ce compte a déjà un second facteur.",
    no_second_factor: "Ce compte n’a pas de second facteur.",
    not_registered: "Il faut un compte pour cela.",
    has_rated_games: "Un compte qui a joué des parties classées ne peut pas devenir un bot.",
    has_live_games: "Terminez d’abord vos parties.",
    is_admin: "Le compte d’un administrateur ne peut pas faire cela.",
    too_many_tokens: "Vous avez autant de jetons que possible. Révoquez-en un d’abord.",
    too_many_blocks: "Vous avez bloqué autant de joueurs que possible. Débloquez-en un d’abord.",
    too_many_reports: "Trop de signalements attendent déjà. Réessayez plus tard.",
    own_account: "C’est votre propre compte.",
    too_many_attempts: "Il y a eu trop de tentatives.",
    too_many_sign_ins: "Trop de personnes se connectent en ce moment.",
    missing: "Veuillez remplir ce champ.",
    too_many_lines: "Un signalement contient au plus 20 messages.",
    other_name: "Ce n’est pas le nom de votre compte.",
  },
  tryAgainIn: (seconds) =>
    seconds < 90
      ? `Réessayez dans ${seconds === 1 ? "une seconde" : `${seconds} secondes`}.`
      : seconds < 5400
        ? `Réessayez dans ${Math.ceil(seconds / 60)} minutes.`
        : `Réessayez dans ${Math.ceil(seconds / 3600)} heures.`,
  sending: "Un instant…",
  cancel: "Annuler",
  close: "Fermer",

  menu: {
    label: (name, kind) => `${name}, ${kind} : menu`,
    nobody: "Se connecter ou s’inscrire : menu",
    signIn: "Se connecter",
    register: "S’inscrire",
    games: "Vos parties et classements",
    account: "Votre compte",
    name: "Changer de nom",
    signOut: "Se déconnecter",
    signedOut: "Vous êtes déconnecté.",
  },

  fields: {
    name: "Nom",
    password: "Mot de passe",
    newPassword: "Nouveau mot de passe",
    presentPassword: "Mot de passe actuel",
    show: "Afficher le mot de passe",
    passwordHint: "Au moins 10 caractères. Quelques mots sont faciles à retenir et difficiles à deviner.",
    length: (n) => `${n} caractères sur 10`,
    recoveryCode: "Code de secours",
    secondFactor: "Code de votre application",
    secondFactorHint: "Les six chiffres que votre application affiche, ou un code de secours.",
    deviceCode: "Code de votre application",
  },

  signIn: {
    title: "Se connecter",
    submit: "Se connecter",
    done: (name) => `Vous êtes connecté en tant que ${name}.`,
    forgotten: "J’ai oublié mon mot de passe",
    withPassword: "Se connecter avec le mot de passe",
    recoverTitle: "Se connecter avec un code de secours",
    recoverText:
      "Un code de secours ne sert qu’une fois. Il permet de choisir un nouveau mot de passe et déconnecte tous les autres appareils.",
    recover: "Choisir le mot de passe et se connecter",
    noAccount: "S’inscrire plutôt",
    guest: (name) =>
      `Dans ce navigateur, vous jouez en tant qu’invité, sous le nom de ${name}. Si vous vous connectez à un autre compte, plus personne ne pourra jouer avec cet invité. Pour garder ses parties, inscrivez-vous plutôt.`,
  },

  register: {
    title: "S’inscrire",
    submit: "S’inscrire",
    text: "Il ne faut qu’un nom et un mot de passe. Avec un compte, vous vous connectez depuis n’importe quel appareil, et vos parties peuvent être classées.",
    guest: (name) =>
      `Tout ce qui est à ${name} reste à vous : les parties, les défis ouverts, et le nom si vous n’en choisissez pas un autre.`,
    haveAccount: "J’ai un compte",
    done: (name) => `Vous êtes inscrit sous le nom de ${name}.`,
    noCodes: "Les codes de secours n’ont pas pu être créés. Créez-les sur la page de votre compte.",
  },

  codesShown: {
    title: "Vos codes de secours",
    text: "Si vous oubliez votre mot de passe, l’un de ces codes vous connecte. Chacun sert une seule fois. Ils ne seront plus affichés : enregistrez-les maintenant, ou créez-en de nouveaux plus tard sur la page de votre compte.",
    copy: "Copier les codes",
    save: "Enregistrer dans un fichier",
    done: "Terminé",
  },

  page: {
    title: "Votre compte",
    nobody: "Vous n’êtes pas connecté",
    nobodyText: "Jouez sans compte, en tant qu’invité, ou avec un compte auquel vous pouvez vous connecter de partout.",
    guestTitle: "Vous êtes un invité",
    guestText:
      "Seul ce navigateur vous connaît. Si ses données sont effacées, votre nom et vos parties n’appartiennent plus à personne. Inscrivez-vous pour les garder.",
    since: (day) => `depuis le ${day}`,
    mutedUntil: (day) => `Vous ne pouvez pas écrire de messages jusqu’au ${day}.`,
    yourPage: "Votre page, telle que les autres la voient",
  },

  devices: {
    title: "Appareils",
    text: "Où ce compte est connecté.",
    here: "ce navigateur",
    program: "programme",
    used: (day) => `dernière utilisation le ${day}`,
    end: "Déconnecter",
    endOf: (label) => `Déconnecter ${label}`,
    ended: (label) => `${label} est déconnecté.`,
    everywhere: "Se déconnecter partout",
    everywhereText: "Cela déconnecte tous les appareils et programmes, y compris ce navigateur.",
    unnamed: "Appareil inconnu",
  },

  password: {
    title: "Mot de passe",
    set: (day) => `Défini le ${day}.`,
    change: "Changer le mot de passe",
    about: "Cela déconnecte tous les autres appareils.",
    submit: "Changer le mot de passe",
    done: "Le mot de passe a été changé. Tous les autres appareils sont déconnectés.",
  },

  secondFactor: {
    title: "Second facteur",
    off: "Désactivé. S’il est activé, la connexion demande aussi un code fourni par une application de votre téléphone.",
    on: (day) => `Activé depuis le ${day}. La connexion demande un code de votre application.`,
    begin: "Le configurer",
    beginSubmit: "Continuer",
    scan: "Scannez cette image avec une application de codes à usage unique, ou saisissez-y la clé.",
    qr: "Code QR avec la clé",
    key: "Clé",
    copyKey: "Copier la clé",
    confirm: "L’activer",
    confirmed: "Le second facteur est activé.",
    remove: "Le désactiver",
    removed: "Le second facteur est désactivé.",
  },

  recovery: {
    title: "Codes de secours",
    left: (n) => (n === 0 ? "Il ne vous en reste aucun." : n === 1 ? "Il vous en reste un." : `Il vous en reste ${n}.`),
    about: "Avec l’un d’eux, vous entrez sans le mot de passe.",
    make: "Créer de nouveaux codes",
    makeAbout: "Les codes que vous avez maintenant ne serviront plus.",
  },

  tokens: {
    title: "Jetons pour programmes",
    text: "Avec un jeton, un programme agit pour vous, dans les limites que vous fixez.",
    none: "Vous n’en avez pas.",
    make: "Créer un jeton",
    name: "À quoi il sert",
    nameHint: "Par exemple : mon programme d’échecs",
    scopesLabel: "Ce qu’il peut faire, en plus de lire",
    scopes: {
      play: { name: "Jouer", about: "Jouer des coups, écrire, chercher des adversaires" },
      challenge: { name: "Défier", about: "Envoyer, accepter et refuser des défis" },
      bot: { name: "Bot", about: "Faire de ce compte un bot" },
    },
    expires: "Durée de validité",
    expiresNames: { 7: "une semaine", 30: "30 jours", 90: "90 jours", 365: "un an", 0: "jusqu’à révocation" },
    submit: "Créer le jeton",
    madeTitle: "Le nouveau jeton",
    madeText: "Copiez-le maintenant : il n’est affiché qu’ici. Quiconque l’a peut faire tout ce que vous avez permis.",
    copy: "Copier le jeton",
    facts: (scopes, used, until) => [scopes, used, until].filter(Boolean).join(" · "),
    readOnly: "peut seulement lire",
    used: (day) => `dernière utilisation le ${day}`,
    until: (day) => `jusqu’au ${day}`,
    revoke: "Révoquer",
    revokeOf: (name) => `Révoquer ${name}`,
    revoked: (name) => `${name} a été révoqué.`,
  },

  challenges: {
    title: "Défis qui vous sont adressés",
    who: "Qui peut vous défier par votre nom",
    from: { everybody: "Tout le monde", accounts: "Joueurs inscrits", nobody: "Personne" },
    bots: "Les bots aussi",
    categories: "Pour ces parties",
    saved: "Enregistré.",
  },

  blocked: {
    title: "Joueurs bloqués",
    text: "Vous ne recevez plus ni défis ni messages l’un de l’autre, et vous n’êtes plus appariés.",
    none: "Vous n’avez bloqué personne.",
    unblock: "Débloquer",
    unblockOf: (name) => `Débloquer ${name}`,
    unblocked: (name) => `${name} n’est plus bloqué.`,
  },

  data: {
    title: "Vos données",
    exportText: "Tout ce que ce serveur conserve à votre sujet, en plus de vos parties, dans un fichier.",
    export: "Enregistrer mes données",
  },

  bot: {
    title: "Devenir un bot",
    text: "Si un programme doit jouer avec ce compte, ce compte doit être celui d’un bot. Un bot est signalé partout comme tel et ne joue de parties classées que contre d’autres bots. C’est définitif.",
    begin: "Faire de ce compte un bot…",
    submit: "En faire un bot pour toujours",
    done: "Ce compte est celui d’un bot.",
  },

  closing: {
    title: "Fermer le compte",
    text: "Vos parties restent, avec les noms sous lesquels elles ont commencé. Tout le reste est effacé, et personne d’autre n’aura votre nom. C’est définitif.",
    begin: "Fermer mon compte…",
    confirm: (name) => `Saisissez ${name} pour confirmer`,
    submit: "Le fermer pour toujours",
    done: "Le compte est fermé.",
  },
};
