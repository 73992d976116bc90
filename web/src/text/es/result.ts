/** Spanish: the result of a game. */
import type { Catalogue } from "..";
import { Las, las } from "./pieces";

const because: Catalogue["result"]["because"] = {
  checkmate: (loser) =>
    `${loser ? `El rey de ${las(loser)}` : "Un rey"} está atacado, y ninguna jugada evita el ataque.`,
  resignation: (loser) => (loser ? `${Las(loser)} abandonaron la partida.` : "Un bando abandonó la partida."),
  stalemate: () => "El bando al que le toca mover no tiene jugadas legales y no está en jaque: tablas.",
  dead_position: () => "Ningún bando puede ya dar mate, se juegue lo que se juegue: tablas.",
  agreement: () => "Un bando ofreció tablas y el otro aceptó.",
  flag_fall: (loser) =>
    loser
      ? `Se acabó el tiempo de ${las(loser)}.`
      : "Se acabó el tiempo de un bando, pero según las reglas de esta partida el otro tenía muy poco material para ganar: tablas.",
  threefold_repetition: () =>
    "La misma posición estuvo tres veces en el tablero, con las mismas jugadas posibles: tablas.",
  fifty_moves: () => "Cada bando hizo cincuenta jugadas sin capturas ni movimientos de peón: tablas.",
  fivefold_repetition: () =>
    "La misma posición estuvo cinco veces en el tablero, con las mismas jugadas posibles: tablas.",
  seventy_five_moves: () => "Cada bando hizo setenta y cinco jugadas sin capturas ni movimientos de peón: tablas.",
  abandonment: (loser) =>
    loser
      ? `${Las(loser)} dejaron la partida y no volvieron; el otro bando reclamó la victoria.`
      : "Un bando dejó la partida y no volvió; el otro reclamó tablas.",
  aborted: () => "La partida se anuló al empezar. No cuenta.",
  first_move_limit: () => "La primera jugada no se hizo a tiempo. La partida no cuenta.",
  both_away: () => "Ninguno de los jugadores volvió a la partida. No cuenta.",
  arbiter: () => "Quien administra este servidor decidió el resultado.",
};

const noMate: Catalogue["result"]["noMate"] = {
  flag_fall: (flagged, other) =>
    `Se acabó el tiempo de ${las(flagged)}, pero ${las(other)} no pueden dar mate: tablas.`,
  resignation: () => "Un bando abandonó, pero el otro no puede dar mate: tablas.",
  abandonment: () => "Un bando dejó la partida y no volvió, pero el otro no puede dar mate: tablas.",
};

export const result: Catalogue["result"] = {
  why: "¿Por qué este resultado?",
  whyShort: "¿Por qué?",
  because,
  noMate,
  claim: {
    onBoard: (side) => `${Las(side)} reclamaron tablas.`,
    withMove: (side, move) => `${Las(side)} reclamaron tablas con la jugada ${move}, anunciada y no realizada.`,
    withSome: (side) => `${Las(side)} reclamaron tablas con una jugada anunciada y no realizada.`,
    wouldBe: {
      threefold_repetition:
        "Tras ella, la misma posición habría estado por tercera vez en el tablero, con las mismas jugadas posibles.",
      fifty_moves: "Con ella, cada bando habría hecho cincuenta jugadas sin capturas ni movimientos de peón.",
    },
  },
  stood: (start, moves) => `Estuvo en el tablero ${start === null ? "" : `${start} y `}tras ${moves}.`,
  stoodFirst: "al principio",
  lostBy: {
    resignation: {
      you: "Has abandonado",
      player: "Ha abandonado",
      opponent: "El rival ha abandonado",
      side: (side) => `${Las(side)} han abandonado`,
    },
    flag_fall: {
      you: "Se acabó tu tiempo",
      player: "Agotó su tiempo",
      opponent: "El rival agotó su tiempo",
      side: (side) => `${Las(side)} agotaron su tiempo`,
    },
    abandonment: {
      you: "Te has ido",
      player: "Ha dejado la partida",
      opponent: "El rival se ha ido",
      side: (side) => `${Las(side)} se han ido`,
    },
  },
  yourRating: (step, change) => `Tu puntuación: ${step} (${change})`,
  rating: (side, step, change) => `${side}: ${step} (${change})`,
  provisional: "provisional",
};
