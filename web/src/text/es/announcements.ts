/** Spanish: sentences that are read out during a game. */
import type { Catalogue } from "..";
import { Las, las } from "./pieces";

export const announcements: Catalogue["announcements"] = {
  move: (side, move) => `${side}: ${move}`,
  castlesShort: "enroque corto",
  castlesLong: "enroque largo",
  takes: "por",
  promotes: (role) => `corona ${role}`,
  check: "jaque",
  mate: "jaque mate",
  drawOffered: (name) => `${name} ofrece tablas`,
  drawDeclined: (name) => `${name} rechaza las tablas`,
  takebackOffered: (name) => `${name} pide deshacer una jugada`,
  takebackDeclined: (name) => `${name} no permite deshacer la jugada`,
  takenBack: "Se han deshecho jugadas",
  claimed: (side, right) => `${Las(side)} reclaman tablas${right ? "" : ", sin razón"}`,
  giveTime: (side) => `${Las(side)} dan tiempo`,
  penalty: "El tiempo se ha ajustado tras una reclamación incorrecta",
  arbiter: "El árbitro ha ajustado los relojes",
  remedied: "La petición ha sido rechazada. Cada jugada añade tiempo a partir de ahora.",
  away: (side) => `${Las(side)} están ausentes`,
  back: (side) => `${Las(side)} han vuelto`,
  began: (side) => (side ? `La partida empieza. Juegas con ${las(side)}.` : "La partida empieza."),
  flag: (side) => `Ha caído la bandera de ${las(side)}`,
  resigned: (side) => `${Las(side)} abandonan`,
  firstMove: (seconds) => `Te quedan ${seconds} segundos para tu primera jugada`,
  left: (side, seconds) => `${side}: quedan ${seconds} segundos`,
  over: (result, reason) => `${result}. ${reason}.`,
  premove: (move) => `Jugada anticipada ${move}`,
  premoveGone: "Jugada anticipada anulada",
  duration: (h, m, s) =>
    [
      h ? `${h} ${h === 1 ? "hora" : "horas"}` : "",
      m ? `${m} ${m === 1 ? "minuto" : "minutos"}` : "",
      s || (!h && !m) ? `${s} ${s === 1 ? "segundo" : "segundos"}` : "",
    ]
      .filter(Boolean)
      .join(" "),
};
