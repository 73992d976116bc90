/** Spanish: the board, its pieces and marks, and what is asked on it. */
import type { Catalogue } from "..";
import type { Role } from "../../chess/square";
import { las, roles, sides } from "./pieces";

/** One of them and several, as objects: «ha capturado un alfil». */
const objects: Record<Role, readonly [string, string]> = {
  p: ["un peón", "peones"],
  n: ["un caballo", "caballos"],
  b: ["un alfil", "alfiles"],
  r: ["una torre", "torres"],
  q: ["una dama", "damas"],
  k: ["un rey", "reyes"],
};

function color(side: string, role: string): string {
  const end = role === roles.q || role === roles.r ? "a" : "o";
  return (side === sides.white ? "blanc" : "negr") + end;
}

export const board: Catalogue["board"] = {
  label: (side) => `Tablero visto desde ${las(side)}`,
  hint: "Las flechas cambian de casilla. Intro toma una pieza y la suelta. Escape cancela.",
  square: (name, piece, marks) => [name, piece, marks].filter(Boolean).join(", "),
  piece: (side, role) => `${role} ${color(side, role)}`,
  empty: "",
  selected: "pieza seleccionada",
  target: "casilla posible",
  lastMove: "última jugada",
  inCheck: "en jaque",
  premove: "jugada anticipada",
  premoveNumber: (numbers) => `jugada anticipada ${numbers}`,
  premovesSet: (moves, more) => `Anticipadas: ${moves}${more > 0 ? ` y ${more} más` : ""}`,
  premovesCancel: "Anular las jugadas anticipadas",
  cancel: "Anular",
  promote: "Coronar",
  flip: "Girar el tablero",
  confirm: (move) => `¿Jugar ${move}?`,
  confirmHint: (move) => `${move}: Intro hace la jugada, Escape la deshace.`,
  confirmYes: "Jugar",
  confirmNo: "Cancelar",
  pieces: (role, n) => (n === 1 ? objects[role][0] : `${n} ${objects[role][1]}`),
  more: (pieces) => `Tiene ${pieces} de más.`,
  ahead: (pawns) => `${pawns} ${pawns === 1 ? "peón" : "peones"} de ventaja.`,
};
