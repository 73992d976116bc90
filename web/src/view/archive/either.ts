/** What one word means that may name a player or an opening, where that is beyond doubt; else one chooses. */
import { areMoves } from "../../state/gameFilter";
import { meant, nameOf } from "../../state/suggestions";
import { type FoundEither, findEither } from "./found";

/** What a list is searched for by one word. */
export type Condition = { readonly player: string } | { readonly opening: string };

/**
 * Moves are an opening. `known`: what was found by this word. Where the server does not answer, a player is looked for, whose
 * search says so.
 */
export async function meantBy(word: string, known: FoundEither | null = null): Promise<Condition | null> {
  if (word === "") return null;
  if (areMoves(word)) return { opening: word };
  // The server is not asked about a single letter.
  if (word.length === 1) return { player: word };
  const found = known ? ({ kind: "there", value: known } as const) : await findEither(word);
  return found.kind === "there" ? meantAmong(word, found.value) : { player: word };
}

/**
 * The player or the opening that has just this name or code; or the only player whose name begins so, where no opening has it in
 * its name. Nothing unless the server has said of both what there is.
 */
function meantAmong(word: string, { people, openings }: FoundEither): Condition | null {
  if (!people || !openings) return null;
  const isSame = (name: string): boolean => name.toLowerCase() === word.toLowerCase();
  const one = meant(word, [...people.players, ...people.names]);
  const player = one && nameOf(one);
  if (player !== null && (openings.length === 0 || isSame(player))) return { player };
  return openings.some(({ eco, name }) => isSame(name) || isSame(eco)) ? { opening: word } : null;
}
