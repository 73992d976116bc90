/** French: what calls a player back, and challenges during a game. */
import type { Catalogue } from "..";

export const calls: Catalogue["calls"] = {
  began: (rival) => `Votre partie contre ${rival} commence`,
  yourMove: (rival) => `À vous de jouer contre ${rival}`,
  drawOffered: (rival) => `${rival} propose la nulle`,
  answer: "Vous pouvez accepter ou refuser.",
  over: (rival, reason) => `Contre ${rival}. ${reason}.`,
  ended: (rival, result) => `Votre partie contre ${rival} est terminée : ${result}.`,
  running: (rival) => `Votre partie contre ${rival} est en cours.`,
  another: "En jouer une autre",
  meanwhile: "Pendant ce temps",
  endedTitle: "Parties terminées à l’instant",
  challenged: (name) => `${name} vous défie`,
  challenges: "vous défie",
  asksRematch: "demande la revanche",
  notifyMe: "Me prévenir",
  notifyAbout: "Le navigateur vous prévient quand la partie commence et quand c’est à vous de jouer.",
  notifyOn: "Vous serez prévenu si vous êtes ailleurs.",
  notifyBlocked: "Ce navigateur n’autorise pas les notifications d’ici.",
  toast: "Défi",
  hide: "Masquer",
};
