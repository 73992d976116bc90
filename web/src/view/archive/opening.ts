/** What the server is asked of the opening that was typed, and why a search for games could not be made. Does not search. */
import { START_FEN } from "../../chess/position";
import { readPgn } from "../../chess/pgn";
import { askPosition } from "../../net/analysis";
import type { Answer } from "../../net/ask";
import { OPENING_PLIES_MAX, type Opening, areMoves } from "../../state/gameFilter";

/** Why a search could not be made. */
export type SearchError =
  /** No opening has this name; these moves cannot be played. */
  | { readonly why: "name" | "opening" }
  | { readonly why: "moves" | "failed" }
  | { readonly why: "later"; readonly seconds: number }
  | { readonly why: "rejected"; readonly message: string };

export function errorOf(answer: Exclude<Answer<unknown>, { readonly kind: "there" }>): SearchError {
  if (answer.kind === "later") return { why: "later", seconds: answer.seconds };
  return answer.kind === "rejected" ? { why: "rejected", message: answer.message } : { why: "failed" };
}

/** Words of a name, or a code, as they stand; of moves, typed in UCI or SAN, with numbers or without, the same in UCI. */
export async function openingOf(typed: string): Promise<Opening | SearchError> {
  const opening = typed.trim();
  if (opening === "") return {};
  return areMoves(opening) ? ofMoves(opening) : { opening };
}

async function ofMoves(typed: string): Promise<Opening | SearchError> {
  const pgn = readPgn(typed.replaceAll(",", " "));
  if ("error" in pgn) return { why: "opening" };
  const moves = pgn.moves.map(({ san }) => san);
  if (moves.length > OPENING_PLIES_MAX) return { why: "moves" };
  const answer = await askPosition({ start: START_FEN, chess960: false, moves });
  if (answer.kind === "there") return { moves: answer.value.moves.map(({ uci }) => uci).join(",") };
  return answer.kind === "rejected" ? { why: "opening" } : errorOf(answer);
}
