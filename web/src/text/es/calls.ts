/** Spanish: what calls a player back, and challenges during a game. */
import type { Catalogue } from "..";

export const calls: Catalogue["calls"] = {
  began: (rival) => `Empieza tu partida contra ${rival}`,
  yourMove: (rival) => `Te toca jugar contra ${rival}`,
  drawOffered: (rival) => `${rival} ofrece tablas`,
  answer: "Puedes aceptar o rechazar.",
  over: (rival, reason) => `Contra ${rival}. ${reason}.`,
  ended: (rival, result) => `Tu partida contra ${rival} ha terminado: ${result}.`,
  running: (rival) => `Tu partida contra ${rival} está en curso.`,
  another: "Jugar otra",
  meanwhile: "Mientras tanto",
  endedTitle: "Partidas que acaban de terminar",
  challenged: (name) => `${name} te desafía`,
  challenges: "te desafía",
  asksRematch: "pide la revancha",
  notifyMe: "Avísame",
  notifyAbout: "El navegador te avisa cuando empieza la partida y cuando te toca jugar.",
  notifyOn: "Recibirás un aviso si estás en otra parte.",
  notifyBlocked: "Este navegador no permite avisos desde aquí.",
  toast: "Desafío",
  hide: "Ocultar",
};
