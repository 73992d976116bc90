/** Spanish: an invitation's page. */
import type { Catalogue } from "..";

export const challenge: Catalogue["challenge"] = {
  title: "Esperando a un rival",
  waitingFor: (name) => `Esperando a ${name}`,
  text: "Envía este enlace. La partida empieza cuando alguien lo abre y se une.",
  link: "Enlace de la partida",
  copy: "Copiar el enlace",
  copied: "Copiado",
  share: "Compartir",
  qr: "El enlace como código QR",
  cancel: "Retirar",
  until: (when) => `Abierta hasta el ${when}.`,
  keep: (by, hasClocks) =>
    `Puedes salir de esta página. Si ${by ?? "alguien"} acepta mientras no estás, la partida empieza ${hasClocks ? "cuando vuelvas" : "enseguida"}.`,
  acceptedBy: (name) => `${name} ha aceptado`,
  waitsFor: (name) => `Has aceptado; ${name} no está`,
  whenBothAreHere:
    "La partida empieza en cuanto estéis los dos y ninguno esté jugando. Puedes salir de esta página: la invitación sigue abierta un día.",
  begin: "Empezar ahora",
  invited: "Te han invitado a una partida",
  invitedText: "La partida aún no ha empezado. Si alguien te ha enviado este enlace, únete para empezarla.",
  invitedBy: (name) => `${name} te invita`,
  notYours: (name) => `${name} desafía a otra persona`,
  join: "Unirse a la partida",
  joining: "Un momento…",
  noThanks: "No, gracias",
  endedTitle: "Tus invitaciones",
  ended: {
    own: {
      challenge_expired: "Nadie ha aceptado a tiempo",
      challenge_cancelled: "La invitación se ha retirado",
      challenge_declined: "El desafío ha sido rechazado",
      challenge_taken: "La invitación ha sido aceptada",
    },
    others: {
      challenge_expired: "Esta invitación ha caducado",
      challenge_cancelled: "Esta invitación se ha retirado",
      challenge_declined: "Este desafío ha sido rechazado",
      challenge_taken: "Otra persona ha aceptado esta invitación",
    },
  },
  again: "Repetir la invitación",
  againTo: (name) => `Desafiar otra vez a ${name}`,
  wentTo: (name) => `Era para ${name}.`,
  againYours: "Puedes repetirla y enviar de vuelta el nuevo enlace.",
  newText: "Pide un nuevo enlace, o envía uno tú.",
  newOne: "Nueva invitación",
  closed: "Esta invitación ya no está abierta",
  closedText: "Quizá se ha retirado.",
  gone: "Aquí no hay ninguna partida ni invitación",
  goneText: "Quizá se ha retirado, o el enlace está incompleto.",
};
