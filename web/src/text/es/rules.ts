/** Spanish: how games end, and the sets of rules. */
import type { Catalogue } from "..";

export const reasons: Catalogue["reasons"] = {
  checkmate: "Jaque mate",
  resignation: "Abandono",
  stalemate: "Ahogado",
  dead_position: "Posición muerta: ninguna serie de jugadas lleva al mate",
  agreement: "Por acuerdo",
  flag_fall: "Tiempo agotado",
  threefold_repetition: "Triple repetición",
  fifty_moves: "Cincuenta jugadas sin capturas ni movimientos de peón",
  fivefold_repetition: "Quíntuple repetición",
  seventy_five_moves: "Setenta y cinco jugadas sin capturas ni movimientos de peón",
  abandonment: "Un jugador se ha ido",
  aborted: "Partida anulada",
  first_move_limit: "Sin primera jugada a tiempo",
  both_away: "Los dos jugadores estuvieron ausentes 30 días",
  arbiter: "Decisión del árbitro",
};

export const profiles: Catalogue["profiles"] = {
  fide_online: {
    name: "FIDE, en línea",
    about: "La triple repetición y la regla de las cincuenta jugadas terminan la partida por sí solas.",
  },
  fide_board: {
    name: "FIDE, ante el tablero",
    about:
      "Reglas de torneo de la FIDE: las tablas por repetición o por la regla de las cincuenta jugadas deben reclamarse.",
    timed: "El reloj corre desde el principio.",
  },
  us_chess: {
    name: "US Chess",
    about:
      "Reglas de torneo de US Chess: las tablas por repetición o por la regla de las cincuenta jugadas deben reclamarse.",
    timed: "El reloj corre desde el principio.",
  },
  casual: {
    name: "Deshacer permitido",
    about: "Una jugada se puede deshacer si el rival está de acuerdo.",
    timed: "Cada jugador puede dar tiempo al otro.",
  },
};
