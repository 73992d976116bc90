/** German: an invitation's page. */
import type { Catalogue } from "..";

export const challenge: Catalogue["challenge"] = {
  title: "Warten auf einen Gegner",
  waitingFor: (name) => `Warten auf ${name}`,
  text: "Schicke diesen Link. Wer zuerst beitritt, spielt gegen dich.",
  link: "Link zur Partie",
  copy: "Link kopieren",
  copied: "Kopiert",
  share: "Teilen",
  qr: "Der Link als QR-Code",
  scan: "Zum Beitreten scannen",
  cancel: "Zurückziehen",
  until: (when) => `Offen bis ${when}.`,
  keep: (by, hasClocks) =>
    `Du kannst diese Seite verlassen. Nimmt ${by ?? "jemand"} an, während du weg bist, beginnt die Partie${hasClocks ? ", sobald du zurück bist" : " sofort"}.`,
  acceptedBy: (name) => `${name} hat angenommen`,
  waitsFor: (name) => `Du hast angenommen; ${name} ist gerade nicht da`,
  whenBothAreHere:
    "Die Partie beginnt, sobald ihr beide da seid und keiner von euch gerade spielt. Du kannst diese Seite verlassen: Die Einladung gilt noch einen Tag.",
  begin: "Jetzt beginnen",
  invited: "Du bist zu einer Partie eingeladen",
  invitedText:
    "Die Partie hat noch nicht begonnen. Wenn dir jemand diesen Link geschickt hat, tritt bei, um zu beginnen.",
  invitedBy: (name) => `${name} lädt dich ein`,
  notYours: (name) => `${name} fordert jemand anderen heraus`,
  clocksStart: "Die Uhren laufen erst nach den ersten Zügen.",
  join: "Beitreten",
  joining: "Beitritt läuft …",
  noThanks: "Nein, danke",
  endedTitle: "Deine Einladungen",
  ended: {
    own: {
      challenge_expired: "Niemand hat rechtzeitig angenommen",
      challenge_cancelled: "Die Einladung wurde zurückgezogen",
      challenge_declined: "Die Herausforderung wurde abgelehnt",
      challenge_taken: "Die Einladung wurde angenommen",
    },
    others: {
      challenge_expired: "Diese Einladung ist abgelaufen",
      challenge_cancelled: "Diese Einladung wurde zurückgezogen",
      challenge_declined: "Diese Herausforderung wurde abgelehnt",
      challenge_taken: "Jemand anderes hat diese Einladung angenommen",
    },
  },
  again: "Neu anlegen",
  againTo: (name) => `${name} noch einmal herausfordern`,
  changeTerms: "Bedingungen ändern",
  somebodyElse: "Gegen jemand anderen spielen",
  wentTo: (name) => `Sie ging an ${name}.`,
  againYours: "Du kannst sie neu anlegen und den neuen Link zurückschicken.",
  newText: "Bitte um einen neuen Link, oder schicke selbst einen.",
  newOne: "Neue Einladung anlegen",
  closed: "Diese Einladung ist nicht mehr offen",
  closedText: "Sie wurde vielleicht zurückgezogen.",
  gone: "Hier ist keine Partie und keine Einladung",
  goneText: "Sie wurde vielleicht zurückgezogen, oder der Link ist unvollständig.",
};
