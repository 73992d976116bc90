/** French: an invitation's page. */
import type { Catalogue } from "..";

export const challenge: Catalogue["challenge"] = {
  title: "En attente d’un adversaire",
  waitingFor: (name) => `En attente de ${name}`,
  text: "Envoyez ce lien. La partie commence dès que quelqu’un l’ouvre et la rejoint.",
  link: "Lien de la partie",
  copy: "Copier le lien",
  copied: "Copié",
  share: "Partager",
  qr: "Le lien en code QR",
  cancel: "Retirer",
  until: (when) => `Ouverte jusqu’au ${when}.`,
  keep: (by, hasClocks) =>
    `Vous pouvez quitter cette page. Si ${by ?? "quelqu’un"} accepte en votre absence, la partie commence ${hasClocks ? "à votre retour" : "aussitôt"}.`,
  acceptedBy: (name) => `${name} a accepté`,
  waitsFor: (name) => `Vous avez accepté ; ${name} est absent`,
  whenBothAreHere:
    "La partie commence dès que vous êtes là tous les deux et qu’aucun de vous ne joue. Vous pouvez quitter cette page : l’invitation reste valable un jour.",
  begin: "Commencer maintenant",
  invited: "Vous êtes invité à une partie",
  invitedText: "La partie n’a pas encore commencé. Si l’on vous a envoyé ce lien, rejoignez-la pour la commencer.",
  invitedBy: (name) => `${name} vous invite`,
  notYours: (name) => `${name} défie quelqu’un d’autre`,
  join: "Rejoindre la partie",
  joining: "Un instant…",
  noThanks: "Non merci",
  endedTitle: "Vos invitations",
  ended: {
    own: {
      challenge_expired: "Personne n’a accepté à temps",
      challenge_cancelled: "L’invitation a été retirée",
      challenge_declined: "Le défi a été refusé",
      challenge_taken: "L’invitation a été acceptée",
    },
    others: {
      challenge_expired: "Cette invitation a expiré",
      challenge_cancelled: "Cette invitation a été retirée",
      challenge_declined: "Ce défi a été refusé",
      challenge_taken: "Quelqu’un d’autre a accepté cette invitation",
    },
  },
  again: "Refaire l’invitation",
  againTo: (name) => `Défier ${name} à nouveau`,
  wentTo: (name) => `C’était pour ${name}.`,
  againYours: "Vous pouvez la refaire et renvoyer le nouveau lien.",
  newText: "Demandez un nouveau lien, ou envoyez-en un vous-même.",
  newOne: "Nouvelle invitation",
  closed: "Cette invitation n’est plus ouverte",
  closedText: "Elle a peut-être été retirée.",
  gone: "Il n’y a ici ni partie ni invitation",
  goneText: "Elle a peut-être été retirée, ou le lien est incomplet.",
};
