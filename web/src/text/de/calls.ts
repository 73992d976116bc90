/** German: what calls a player back, and challenges during a game. */
import type { Catalogue } from "..";

export const calls: Catalogue["calls"] = {
  began: (rival) => `Deine Partie gegen ${rival} beginnt`,
  yourMove: (rival) => `Du bist am Zug gegen ${rival}`,
  drawOffered: (rival) => `${rival} bietet Remis an`,
  answer: "Du kannst annehmen oder ablehnen.",
  over: (rival, reason) => `Gegen ${rival}. ${reason}.`,
  ended: (rival, result) => `Deine Partie gegen ${rival} ist zu Ende: ${result}.`,
  running: (rival) => `Deine Partie gegen ${rival} läuft.`,
  another: "Noch eine spielen",
  meanwhile: "Nebenbei",
  endedTitle: "Gerade beendet",
  challenged: (name) => `${name} fordert dich heraus`,
  challenges: "fordert dich heraus",
  asksRematch: "bittet um Revanche",
  notifyMe: "Benachrichtige mich",
  notifyAbout: "Der Browser meldet sich, wenn die Partie beginnt und wenn du am Zug bist.",
  notifyOn: "Du wirst benachrichtigt, wenn du woanders bist.",
  notifyBlocked: "Dieser Browser erlaubt von hier keine Benachrichtigungen.",
  toast: "Herausforderung",
  hide: "Ausblenden",
};
