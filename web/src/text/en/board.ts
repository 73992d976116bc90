/** English: the board, its pieces and marks, and what is asked on it. */
import type { Role } from "../../chess/square";

const one: Record<Role, string> = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

export const board = {
  label: (side: string) => `Chess board, ${side} at the bottom`,
  hint: "Arrow keys move between squares. Enter picks up a piece and puts it down. Escape cancels.",
  square: (name: string, piece: string, marks: string) => [name, piece, marks].filter(Boolean).join(", "),
  piece: (side: string, role: string) => `${side.toLowerCase()} ${role}`,
  empty: "",
  selected: "picked up",
  target: "can go here",
  lastMove: "last move",
  inCheck: "in check",
  premove: "premove",
  premoveNumber: (numbers: string) => `premove ${numbers}`,
  premovesSet: (moves: string, more: number) => `Premoves ${moves}${more > 0 ? ` and ${more} more` : ""}`,
  premovesCancel: "Cancel the premoves",
  /** On the button, as the moves stand beside it. */
  cancel: "Cancel",
  promote: "Promote to",
  flip: "Flip the board",
  confirm: (move: string) => `Play ${move}?`,
  confirmHint: (move: string) => `${move}: Enter plays it, Escape takes it back.`,
  confirmYes: "Play",
  confirmNo: "Cancel",
  pieces: (role: Role, n: number) => (n === 1 ? `a ${one[role]}` : `${n} ${one[role]}s`),
  /** What a side has that the other has not. */
  more: (pieces: string) => `Has ${pieces} more.`,
  ahead: (pawns: number) => `Ahead by ${pawns}.`,
};
