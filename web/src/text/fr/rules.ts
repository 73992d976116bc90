/** French: how games end, and the sets of rules. */
import type { Catalogue } from "..";

export const reasons: Catalogue["reasons"] = {
  checkmate: "Échec et mat",
  resignation: "Abandon",
  stalemate: "Pat",
  dead_position: "Position morte : aucune suite de coups ne mène au mat",
  agreement: "Par accord mutuel",
  flag_fall: "Temps écoulé",
  threefold_repetition: "Triple répétition",
  fifty_moves: "Cinquante coups sans prise ni coup de pion",
  fivefold_repetition: "Quintuple répétition",
  seventy_five_moves: "Soixante-quinze coups sans prise ni coup de pion",
  abandonment: "Un joueur est parti",
  aborted: "Partie annulée",
  first_move_limit: "Pas de premier coup à temps",
  both_away: "Les deux joueurs ont été absents 30 jours",
  arbiter: "Décision de l’arbitre",
};

export const profiles: Catalogue["profiles"] = {
  fide_online: {
    name: "FIDE, en ligne",
    about: "La triple répétition et la règle des cinquante coups terminent la partie d’elles-mêmes.",
  },
  fide_board: {
    name: "FIDE, à l’échiquier",
    about:
      "Règles de tournoi de la FIDE : la nulle par répétition ou par la règle des cinquante coups doit être réclamée.",
    timed: "La pendule tourne dès le début.",
  },
  us_chess: {
    name: "US Chess",
    about:
      "Règles de tournoi d’US Chess : la nulle par répétition ou par la règle des cinquante coups doit être réclamée.",
    timed: "La pendule tourne dès le début.",
  },
  casual: {
    name: "Reprises permises",
    about: "Un coup peut être repris si l’adversaire accepte.",
    timed: "Chacun peut donner du temps à l’autre.",
  },
};
