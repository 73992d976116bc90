/**
 * Parses typed moves and commands of the game page.
 *
 * Pure. A move takes precedence over a word; no word looks like a move.
 */
import type { Position } from "../chess/position";
import { premoves } from "../chess/reach";
import { type Typed, readTyped } from "../chess/notation";
import type { Catalogue } from "../text";
import type { InputMode } from "./boardInput";

export type Word =
  | "help"
  | "clock"
  | "board"
  | "last"
  | "draw"
  | "accept"
  | "decline"
  | "resign"
  | "claim"
  | "abort"
  | "takeback"
  | "give"
  | "cancel"
  | "flip"
  | "pieces"
  | "win"
  | "moves"
  | "ilc"
  | "status"
  | "rematch"
  | "proof";

export type ParsedCommand =
  | { readonly kind: "move"; readonly uci: string }
  | { readonly kind: "premove"; readonly uci: string }
  | { readonly kind: "claim"; readonly uci: string | null }
  | { readonly kind: "say"; readonly text: string }
  | { readonly kind: "word"; readonly word: Word }
  | { readonly kind: "several" | "unknown" };

export function parseCommand(text: string, catalogue: Catalogue, mode: InputMode, position: Position): ParsedCommand {
  const typed = text.trim();
  const moves = movesFor(mode, position);
  const move = readTyped(typed, moves, position, catalogue.letters);
  if (move.kind === "move") return { kind: mode.kind === "premove" ? "premove" : "move", uci: move.uci };
  const word = wordOf(typed, catalogue);
  if (word === "say") return { kind: "say", text: "" };
  if (word === "claim") return { kind: "claim", uci: null };
  if (word !== null) return { kind: "word", word };
  const said = afterWord(typed, "say", catalogue);
  if (said !== null) return { kind: "say", text: said };
  return claimWith(typed, catalogue, moves, position) ?? { kind: move.kind === "several" ? "several" : "unknown" };
}

function movesFor(mode: InputMode, position: Position): readonly string[] {
  if (mode.kind === "move") return mode.legal;
  return mode.kind === "premove" ? premoves(position) : [];
}

/** The command word that a text means; English words work in every language. */
export function wordOf(text: string, catalogue: Catalogue): Word | "say" | null {
  const lower = text.toLowerCase();
  for (const [word, spellings] of Object.entries(catalogue.typed.words)) {
    if (word === lower || spellings.includes(lower)) return word as Word | "say";
  }
  return null;
}

/** The argument of a word, as in `say good luck`; null if the text does not start with it. */
function afterWord(text: string, word: string, catalogue: Catalogue): string | null {
  const space = text.indexOf(" ");
  return space > 0 && wordOf(text.slice(0, space), catalogue) === word ? text.slice(space + 1).trim() : null;
}

/** `claim Nf3`: a claim with the intended move. */
function claimWith(
  text: string,
  catalogue: Catalogue,
  moves: readonly string[],
  position: Position,
): ParsedCommand | null {
  const intended = afterWord(text, "claim", catalogue);
  if (intended === null) return null;
  const move: Typed = readTyped(intended, moves, position, catalogue.letters);
  return move.kind === "move" ? { kind: "claim", uci: move.uci } : { kind: "unknown" };
}
