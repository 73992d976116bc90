/** French: sentences that are read out during a game. */
import type { Catalogue } from "..";
import { Les, des, les } from "./pieces";

export const announcements: Catalogue["announcements"] = {
  move: (side, move) => `${side} : ${move}`,
  castlesShort: "petit roque",
  castlesLong: "grand roque",
  takes: "prend",
  promotes: (role) => `promotion en ${role}`,
  check: "échec",
  mate: "échec et mat",
  drawOffered: (name) => `${name} propose la nulle`,
  drawDeclined: (name) => `${name} refuse la nulle`,
  takebackOffered: (name) => `${name} demande à reprendre un coup`,
  takebackDeclined: (name) => `${name} refuse la reprise`,
  takenBack: "Des coups ont été repris",
  claimed: (side, right) => `${Les(side)} réclament la nulle${right ? "" : ", à tort"}`,
  giveTime: (side) => `${Les(side)} donnent du temps`,
  penalty: "Le temps a été ajusté après une réclamation injustifiée",
  arbiter: "L’arbitre a ajusté les pendules",
  remedied: "La demande a été refusée. Chaque coup ajoute désormais du temps.",
  away: (side) => `${Les(side)} sont absents`,
  back: (side) => `${Les(side)} sont de retour`,
  began: (side) => (side ? `La partie commence. Vous avez ${les(side)}.` : "La partie commence."),
  flag: (side) => `Le drapeau ${des(side)} est tombé`,
  resigned: (side) => `${Les(side)} abandonnent`,
  firstMove: (seconds) => `Il vous reste ${seconds} secondes pour votre premier coup`,
  left: (side, seconds) => `${side} : ${seconds} secondes restantes`,
  over: (result, reason) => `${result}. ${reason}.`,
  premove: (move) => `Coup anticipé ${move}`,
  premoveGone: "Coup anticipé annulé",
  duration: (h, m, s) =>
    [
      h ? `${h} ${h === 1 ? "heure" : "heures"}` : "",
      m ? `${m} ${m === 1 ? "minute" : "minutes"}` : "",
      s || (!h && !m) ? `${s} ${s < 2 ? "seconde" : "secondes"}` : "",
    ]
      .filter(Boolean)
      .join(" "),
};
