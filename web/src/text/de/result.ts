/** The German texts of the result of a game. */
import type { Catalogue } from "..";

const because: Catalogue["result"]["because"] = {
  checkmate: (loser) =>
    `${loser ? `Der König von ${loser}` : "Ein König"} ist angegriffen, und kein Zug wehrt den Angriff ab.`,
  resignation: (loser) => `${loser ?? "Eine Seite"} hat die Partie aufgegeben.`,
  stalemate: () => "Wer am Zug ist, hat keinen legalen Zug und steht nicht im Schach: remis.",
  dead_position: () => "Keine Seite kann noch mattsetzen, was auch immer gezogen wird: remis.",
  agreement: () => "Eine Seite hat Remis angeboten, und die andere hat angenommen.",
  flag_fall: (loser) =>
    loser
      ? `Die Zeit von ${loser} ist abgelaufen.`
      : "Die Zeit einer Seite ist abgelaufen, aber nach den Regeln dieser Partie hatte die andere zu wenig Material für einen Sieg: remis.",
  threefold_repetition: () => "Dieselbe Stellung stand dreimal auf dem Brett, mit denselben Zugmöglichkeiten: remis.",
  fifty_moves: () => "Jede Seite hat fünfzig Züge ohne Schlagen und Bauernzug gemacht: remis.",
  fivefold_repetition: () => "Dieselbe Stellung stand fünfmal auf dem Brett, mit denselben Zugmöglichkeiten: remis.",
  seventy_five_moves: () => "Jede Seite hat fünfundsiebzig Züge ohne Schlagen und Bauernzug gemacht: remis.",
  abandonment: (loser) =>
    loser
      ? `${loser} hat die Partie verlassen und kam nicht zurück; die andere Seite hat den Sieg beansprucht.`
      : "Eine Seite hat die Partie verlassen und kam nicht zurück; die andere hat Remis beansprucht.",
  aborted: () => "Die Partie wurde zu Beginn abgebrochen. Sie zählt nicht.",
  first_move_limit: () => "Der erste Zug kam nicht rechtzeitig. Die Partie zählt nicht.",
  both_away: () => "Keiner der Spieler kam zur Partie zurück. Sie zählt nicht.",
  arbiter: () => "Wer diesen Server betreibt, hat das Ergebnis festgelegt.",
};

const noMate: Catalogue["result"]["noMate"] = {
  flag_fall: (flagged, other) => `Die Zeit von ${flagged} ist abgelaufen, aber ${other} kann nicht mattsetzen: remis.`,
  resignation: () => "Eine Seite hat aufgegeben, aber die andere kann nicht mattsetzen: remis.",
  abandonment: () =>
    "Eine Seite hat die Partie verlassen und kam nicht zurück, aber die andere kann nicht mattsetzen: remis.",
};

export const result: Catalogue["result"] = {
  why: "Warum dieses Ergebnis?",
  whyShort: "Warum?",
  because,
  noMate,
  claim: {
    onBoard: (side) => `${side} hat Remis reklamiert.`,
    withMove: (side, move) =>
      `${side} hat mit dem Zug ${move}, der beabsichtigt war und nicht gespielt ist, Remis reklamiert.`,
    withSome: (side) => `${side} hat mit einem Zug, der beabsichtigt war und nicht gespielt ist, Remis reklamiert.`,
    wouldBe: {
      threefold_repetition:
        "Nach ihm hätte dieselbe Stellung zum dritten Mal auf dem Brett gestanden, mit denselben Zugmöglichkeiten.",
      fifty_moves: "Mit ihm hätte jede Seite fünfzig Züge ohne Schlagen und Bauernzug gemacht.",
    },
  },
  stood: (start, moves) => `Sie stand ${start === null ? "" : `${start} und `}nach ${moves} auf dem Brett.`,
  stoodFirst: "am Anfang",
  lostBy: {
    resignation: {
      you: "Du hast aufgegeben",
      player: "Hat aufgegeben",
      opponent: "Gegner hat aufgegeben",
      side: (side) => `${side} hat aufgegeben`,
    },
    flag_fall: {
      you: "Deine Zeit ist um",
      player: "Zeit überschritten",
      opponent: "Zeit des Gegners ist um",
      side: (side) => `${side} hat die Zeit überschritten`,
    },
    abandonment: {
      you: "Du bist gegangen",
      player: "Hat die Partie verlassen",
      opponent: "Gegner ist gegangen",
      side: (side) => `${side} ist gegangen`,
    },
  },
  yourRating: (step, change) => `Deine Wertung: ${step} (${change})`,
  rating: (side, step, change) => `${side}: ${step} (${change})`,
  provisional: "vorläufig",
};
