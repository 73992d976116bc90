/** German: sentences that are read out during a game. */
import type { Catalogue } from "..";
import { genitive } from "./pieces";

export const announcements: Catalogue["announcements"] = {
  move: (side, move) => `${side}: ${move}`,
  castlesShort: "kurze Rochade",
  castlesLong: "lange Rochade",
  takes: "schlägt",
  promotes: (role) => `wird ${role}`,
  check: "Schach",
  mate: "Matt",
  drawOffered: (name) => `${name} bietet Remis an`,
  drawDeclined: (name) => `${name} lehnt das Remis ab`,
  takebackOffered: (name) => `${name} möchte einen Zug zurücknehmen`,
  takebackDeclined: (name) => `${name} lehnt die Rücknahme ab`,
  takenBack: "Züge wurden zurückgenommen",
  claimed: (side, right) => `${side} reklamiert Remis${right ? "" : ", zu Unrecht"}`,
  giveTime: (side) => `${side} schenkt Zeit`,
  penalty: "Die Bedenkzeit wurde nach einer falschen Reklamation angepasst",
  arbiter: "Der Schiedsrichter hat die Uhren angepasst",
  remedied: "Abgelehnt. Jeder Zug bringt nun Zeit.",
  away: (side) => `${side} ist weg`,
  back: (side) => `${side} ist wieder da`,
  began: (side) => (side ? `Die Partie beginnt. Du spielst ${side}.` : "Die Partie beginnt."),
  flag: (side) => `Die Zeit ${genitive(side)} ist abgelaufen`,
  resigned: (side) => `${side} gibt auf`,
  firstMove: (seconds) => `Du hast noch ${seconds} Sekunden für deinen ersten Zug`,
  left: (side, seconds) => `${side}: noch ${seconds} Sekunden`,
  over: (result, reason) => `${result}. ${reason}.`,
  premove: (move) => `Vorauszug ${move}`,
  premoveGone: "Vorauszug aufgehoben",
  duration: (h, m, s) =>
    [
      h ? `${h} ${h === 1 ? "Stunde" : "Stunden"}` : "",
      m ? `${m} ${m === 1 ? "Minute" : "Minuten"}` : "",
      s || (!h && !m) ? `${s} ${s === 1 ? "Sekunde" : "Sekunden"}` : "",
    ]
      .filter(Boolean)
      .join(" "),
};
