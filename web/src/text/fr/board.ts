/** French: the board, its pieces and marks, and what is asked on it. */
import type { Catalogue } from "..";
import type { Role } from "../../chess/square";
import { des, roles, sides } from "./pieces";

/** One of them and several, as objects: « a pris un fou ». */
const objects: Record<Role, readonly [string, string]> = {
  p: ["un pion", "pions"],
  n: ["un cavalier", "cavaliers"],
  b: ["un fou", "fous"],
  r: ["une tour", "tours"],
  q: ["une dame", "dames"],
  k: ["un roi", "rois"],
};
const isFeminine = (role: string): boolean => role === roles.q || role === roles.r;
const color = (side: string, role: string): string =>
  side === sides.white ? (isFeminine(role) ? "blanche" : "blanc") : isFeminine(role) ? "noire" : "noir";

export const board: Catalogue["board"] = {
  label: (side) => `Échiquier vu du côté ${des(side)}`,
  hint: "Les flèches changent de case. Entrée prend une pièce et la pose. Échap annule.",
  square: (name, piece, marks) => [name, piece, marks].filter(Boolean).join(", "),
  piece: (side, role) => `${role} ${color(side, role)}`,
  empty: "",
  selected: "pièce sélectionnée",
  target: "case possible",
  lastMove: "dernier coup",
  inCheck: "en échec",
  premove: "coup anticipé",
  premoveNumber: (numbers) => `coup anticipé ${numbers}`,
  premovesSet: (moves, more) => `Anticipés : ${moves}${more > 0 ? ` et ${more} de plus` : ""}`,
  premovesCancel: "Annuler les coups anticipés",
  cancel: "Annuler",
  promote: "Promouvoir en",
  flip: "Retourner l’échiquier",
  confirm: (move) => `Jouer ${move} ?`,
  confirmHint: (move) => `${move} : Entrée joue le coup, Échap le reprend.`,
  confirmYes: "Jouer",
  confirmNo: "Annuler",
  pieces: (role, n) => (n === 1 ? objects[role][0] : `${n} ${objects[role][1]}`),
  more: (pieces) => `A ${pieces} de plus.`,
  ahead: (pawns) => `${pawns} ${pawns === 1 ? "pion" : "pions"} d’avance.`,
};
