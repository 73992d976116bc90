/** Spanish: chat, rematch and proofs. */
import type { Catalogue } from "..";

export const chat: Catalogue["play"]["chat"] = {
  title: "Chat",
  rooms: { players: "Jugadores", spectators: "Espectadores" },
  room: "Sala",
  log: (room) => (room === "players" ? "Mensajes de los jugadores" : "Mensajes de los espectadores"),
  input: (room) => (room === "players" ? "Decir algo al otro jugador" : "Decir algo a los espectadores"),
  send: "Enviar",
  placeholder: "Mensaje",
  show: "Mostrar el chat",
  hide: "Ocultar el chat",
  go: "Ir al chat",
  unread: (n) => (n === 1 ? "1 mensaje nuevo" : `${n} mensajes nuevos`),
  empty: "Aún no hay mensajes.",
  onlyPlayers: "Solo los dos jugadores pueden leer esto.",
  onlySpectators: "Los jugadores no pueden leer esto hasta que termine la partida.",
  closed: "Este chat está cerrado.",
  onItsWay: "enviando",
  left: (n) => `quedan ${n}`,
  said: "Enviado.",
};

export const rematch: Catalogue["play"]["rematch"] = {
  offer: "Revancha",
  offering: "Ofreciendo…",
  offered: "Revancha ofrecida",
  withdraw: "Retirar",
  theirs: (name) => `${name} ofrece la revancha.`,
  theirOffer: "¿Revancha?",
  accept: "Aceptar revancha",
  decline: "Rechazar",
  declined: "La revancha ha sido rechazada.",
  declinedShort: "rechazada",
  declinedWhy: (why) => `La revancha ha sido rechazada: ${why}`,
  reasons: {
    later: "Quizá más tarde.",
    too_fast: "Demasiado rápido para mí.",
    too_slow: "Demasiado lento para mí.",
    other_time_control: "Otro ritmo, por favor.",
    other_variant: "Otra variante, por favor.",
    other_rules: "Otras reglas, por favor.",
    other_color: "El otro color, por favor.",
  },
  over: "La oferta de revancha ya no es válida.",
  go: "A la revancha",
  another: "Nuevo rival",
  home: "Inicio",
  newGame: "Jugar otra",
  easier: (level) => `Más fácil: nivel ${level}`,
  harder: (level) => `Más difícil: nivel ${level}`,
  /** Of one player, beside the name. */
  points: (games: number, points: string) =>
    `Puntos tras ${games === 1 ? "una partida" : `${games} partidas`}: ${points}`,
  seriesShort: (games, own, theirs) => `${games === 1 ? "1 partida" : `${games} partidas`}: ${own} – ${theirs}`,
  series: (own, theirs, rival) => `Tú ${own} – ${theirs} ${rival}`,
};

export const proof: Catalogue["play"]["proof"] = {
  show: "Ver cómo",
  title: "La demostración",
  back: "Volver al resultado",
  first: "Última posición de la partida",
  previous: "Una jugada de la demostración atrás",
  next: "Una jugada de la demostración adelante",
  last: "El mate",
  play: "Reproducir",
  pause: "Pausa",
  begin: (moves) =>
    `La partida terminó aquí. ${moves === 1 ? "Una jugada lleva" : `${moves} jugadas de ambos bandos llevan`} al mate.`,
  move: (n, all, move) => `${n} de ${all}: ${move}`,
  mate: (n, all, move) => `${n} de ${all}: ${move}, jaque mate`,
  inWords: (role, from, to, promotion) => `${role} de ${from} a ${to}${promotion && `, corona ${promotion}`}`,
};
