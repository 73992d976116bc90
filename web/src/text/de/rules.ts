/** German: how games end, and the sets of rules. */
import type { Catalogue } from "..";

export const reasons: Catalogue["reasons"] = {
  checkmate: "Matt",
  resignation: "Aufgabe",
  stalemate: "Patt",
  dead_position: "Tote Stellung: keine Zugfolge führt zum Matt",
  agreement: "Durch Vereinbarung",
  flag_fall: "Zeit abgelaufen",
  threefold_repetition: "Dreimal dieselbe Stellung",
  fifty_moves: "Fünfzig Züge ohne Schlagen und Bauernzug",
  fivefold_repetition: "Fünfmal dieselbe Stellung",
  seventy_five_moves: "Fünfundsiebzig Züge ohne Schlagen und Bauernzug",
  abandonment: "Ein Spieler ist gegangen",
  aborted: "Abgebrochen",
  first_move_limit: "Kein erster Zug in der vorgesehenen Zeit",
  both_away: "Beide Spieler waren 30 Tage lang nicht da",
  arbiter: "Entscheidung des Schiedsrichters",
};

export const profiles: Catalogue["profiles"] = {
  fide_online: {
    name: "FIDE, online",
    about: "Dreimalige Stellung und 50-Züge-Regel beenden die Partie von selbst.",
  },
  fide_board: {
    name: "FIDE, am Brett",
    about: "Turnierregeln der FIDE: Remis durch Stellungswiederholung oder 50-Züge-Regel muss reklamiert werden.",
    timed: "Die Uhr läuft von Anfang an.",
  },
  us_chess: {
    name: "US Chess",
    about: "Turnierregeln von US Chess: Remis durch Stellungswiederholung oder 50-Züge-Regel muss reklamiert werden.",
    timed: "Die Uhr läuft von Anfang an.",
  },
  casual: {
    name: "Zurücknehmen erlaubt",
    about: "Ein Zug kann zurückgenommen werden, wenn der Gegner zustimmt.",
    timed: "Jeder darf dem anderen Zeit schenken.",
  },
};
