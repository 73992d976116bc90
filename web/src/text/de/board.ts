/** German: the board, its pieces and marks, and what is asked on it. */
import type { Catalogue } from "..";
import type { Role } from "../../chess/square";
import { roles, sides } from "./pieces";

/** One of them and several, as objects: "hat einen Läufer mehr". */
const objects: Record<Role, readonly [string, string]> = {
  p: ["einen Bauern", "Bauern"],
  n: ["einen Springer", "Springer"],
  b: ["einen Läufer", "Läufer"],
  r: ["einen Turm", "Türme"],
  q: ["eine Dame", "Damen"],
  k: ["einen König", "Könige"],
};

export const board: Catalogue["board"] = {
  label: (side) => `Schachbrett, ${side} unten`,
  hint: "Pfeiltasten wechseln das Feld. Die Eingabetaste nimmt eine Figur auf und setzt sie ab. Escape bricht ab.",
  square: (name, piece, marks) => [name, piece, marks].filter(Boolean).join(", "),
  piece: (side, role) => `${side === sides.white ? "weiße" : "schwarze"}${role === roles.q ? "" : "r"} ${role}`,
  empty: "",
  selected: "aufgenommen",
  target: "Zugziel",
  lastMove: "letzter Zug",
  inCheck: "im Schach",
  premove: "Vorauszug",
  premoveNumber: (numbers) => `Vorauszug ${numbers}`,
  premovesSet: (moves, more) => `Vorauszüge ${moves}${more > 0 ? ` und ${more} weitere` : ""}`,
  premovesCancel: "Vorauszüge aufheben",
  cancel: "Aufheben",
  promote: "Umwandeln in",
  flip: "Brett drehen",
  confirm: (move) => `${move} spielen?`,
  confirmHint: (move) => `${move}: Die Eingabetaste spielt den Zug, Escape nimmt ihn zurück.`,
  confirmYes: "Spielen",
  confirmNo: "Abbrechen",
  pieces: (role, n) => (n === 1 ? objects[role][0] : `${n} ${objects[role][1]}`),
  more: (pieces) => `Hat ${pieces} mehr.`,
  ahead: (pawns) => `${pawns} ${pawns === 1 ? "Bauer" : "Bauern"} im Vorteil.`,
};
