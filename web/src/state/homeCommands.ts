/**
 * Parses the commands of the home page: a link or code, a pool, or a word with an argument.
 *
 * Pure. Whether a command is possible now is decided where it is run.
 */
import type { PoolId } from "#protocol";
import type { Catalogue } from "../text";
import { POOLS } from "./lobby";
import { idOf } from "./setup";

export type HomeWord = "help" | "cancel" | "seeks" | "watch" | "status" | "accept" | "decline";

export type ParsedHomeCommand =
  | { readonly kind: "open"; readonly id: string }
  | { readonly kind: "pool"; readonly pool: PoolId }
  | { readonly kind: "word"; readonly word: HomeWord }
  /** The open game with that number, counted from 1. */
  | { readonly kind: "join"; readonly number: number }
  | { readonly kind: "challenge" | "name" | "player"; readonly name: string }
  | { readonly kind: "unknown" };

const PLAIN: readonly string[] = ["help", "cancel", "seeks", "watch", "status", "accept", "decline"];

export function parseHomeCommand(text: string, catalogue: Catalogue): ParsedHomeCommand {
  const typed = text.trim();
  const pool = POOLS.find((one) => one === typed.replaceAll(" ", ""));
  if (pool) return { kind: "pool", pool };
  const [first = "", ...rest] = typed.split(/\s+/u);
  const word = wordOf(first, catalogue);
  if (word !== null && rest.length === 0 && PLAIN.includes(word)) return { kind: "word", word: word as HomeWord };
  const [argument] = rest;
  if (word !== null && rest.length === 1 && argument !== undefined) {
    if (word === "join" && /^\d{1,3}$/u.test(argument)) return { kind: "join", number: Number(argument) };
    if (word === "challenge" || word === "name" || word === "player") return { kind: word, name: argument };
  }
  const id = idOf(typed);
  return id === null ? { kind: "unknown" } : { kind: "open", id };
}

/** The command word that a text means; English words work in every language. */
function wordOf(text: string, catalogue: Catalogue): string | null {
  const lower = text.toLowerCase();
  for (const [word, spellings] of Object.entries(catalogue.lobby.typed.words)) {
    if (word === lower || spellings.includes(lower)) return word;
  }
  return null;
}
