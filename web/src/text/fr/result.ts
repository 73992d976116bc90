/** French: the result of a game. */
import type { Catalogue } from "..";
import { Les, des, les } from "./pieces";

const because: Catalogue["result"]["because"] = {
  checkmate: (loser) => `${loser ? `Le roi ${des(loser)}` : "Un roi"} est attaqué, et aucun coup ne pare l’attaque.`,
  resignation: (loser) => (loser ? `${Les(loser)} ont abandonné la partie.` : "Un camp a abandonné la partie."),
  stalemate: () => "Le camp au trait n’a aucun coup légal et n’est pas en échec : nulle.",
  dead_position: () => "Aucun des deux camps ne peut plus mater, quoi qu’on joue : nulle.",
  agreement: () => "Un camp a proposé la nulle, et l’autre l’a acceptée.",
  flag_fall: (loser) =>
    loser
      ? `Le temps ${des(loser)} est écoulé.`
      : "Le temps d’un camp est écoulé, mais selon les règles de cette partie l’autre avait trop peu de matériel pour gagner : nulle.",
  threefold_repetition: () =>
    "La même position s’est trouvée trois fois sur l’échiquier, avec les mêmes coups possibles : nulle.",
  fifty_moves: () => "Chaque camp a joué cinquante coups sans prise ni coup de pion : nulle.",
  fivefold_repetition: () =>
    "La même position s’est trouvée cinq fois sur l’échiquier, avec les mêmes coups possibles : nulle.",
  seventy_five_moves: () => "Chaque camp a joué soixante-quinze coups sans prise ni coup de pion : nulle.",
  abandonment: (loser) =>
    loser
      ? `${Les(loser)} ont quitté la partie sans revenir, et l’autre camp a réclamé le gain.`
      : "Un camp a quitté la partie sans revenir, et l’autre a réclamé la nulle.",
  aborted: () => "La partie a été annulée à son début. Elle ne compte pas.",
  first_move_limit: () => "Le premier coup n’a pas été joué à temps. La partie ne compte pas.",
  both_away: () => "Aucun des joueurs n’est revenu à la partie. Elle ne compte pas.",
  arbiter: () => "Le responsable de ce serveur a fixé le résultat.",
};

const noMate: Catalogue["result"]["noMate"] = {
  flag_fall: (flagged, other) =>
    `Le temps ${des(flagged)} est écoulé, mais ${les(other)} ne peuvent pas mater : nulle.`,
  resignation: () => "Un camp a abandonné, mais l’autre ne peut pas mater : nulle.",
  abandonment: () => "Un camp a quitté la partie sans revenir, mais l’autre ne peut pas mater : nulle.",
};

export const result: Catalogue["result"] = {
  why: "Pourquoi ce résultat ?",
  whyShort: "Pourquoi ?",
  because,
  noMate,
  claim: {
    onBoard: (side) => `${Les(side)} ont réclamé la nulle.`,
    withMove: (side, move) => `${Les(side)} ont réclamé la nulle avec le coup ${move}, annoncé mais non joué.`,
    withSome: (side) => `${Les(side)} ont réclamé la nulle avec un coup annoncé mais non joué.`,
    wouldBe: {
      threefold_repetition:
        "Après ce coup, la même position se serait trouvée pour la troisième fois sur l’échiquier, avec les mêmes coups possibles.",
      fifty_moves: "Avec ce coup, chaque camp aurait joué cinquante coups sans prise ni coup de pion.",
    },
  },
  stood: (start, moves) => `Elle était sur l’échiquier ${start === null ? "" : `${start} et `}après ${moves}.`,
  stoodFirst: "au début",
  lostBy: {
    resignation: {
      you: "Vous avez abandonné",
      player: "A abandonné",
      opponent: "L’adversaire a abandonné",
      side: (side) => `${Les(side)} ont abandonné`,
    },
    flag_fall: {
      you: "Votre temps est écoulé",
      player: "A épuisé son temps",
      opponent: "Temps adverse écoulé",
      side: (side) => `${Les(side)} ont épuisé leur temps`,
    },
    abandonment: {
      you: "Vous êtes parti",
      player: "A quitté la partie",
      opponent: "L’adversaire est parti",
      side: (side) => `${Les(side)} sont partis`,
    },
  },
  yourRating: (step, change) => `Votre classement : ${step} (${change})`,
  rating: (side, step, change) => `${side} : ${step} (${change})`,
  provisional: "provisoire",
};
