/** What one word means that may name a player or an opening, where that is beyond doubt; else one chooses. */
import { areMoves } from "../../state/gameFilter";
import { nameOf } from "../../state/suggestions";
import { type FoundEither, findEither } from "./found";

/** What a list is searched for by one word. */
export type Condition = { readonly player: string } | { readonly opening: string };

/** Moves are an opening. Where the server does not answer, a player is looked for, whose search says so. */
export async function meantBy(typed: string): Promise<Condition | null> {
  const word = typed.trim();
  if (word === "") return null;
  if (areMoves(word)) return { opening: word };
  const found = await findEither(word);
  return found.kind === "there" ? meantAmong(word, found.value) : { player: word };
}

/**
 * The player or the opening that has just this name or code; or the only player whose name begins so, where no opening has it in
 * its name.
 */
function meantAmong(word: string, { people, openings }: FoundEither): Condition | null {
  const isSame = (name: string): boolean => name.toLowerCase() === word.toLowerCase();
  const names = [...people.players, ...people.names].map(nameOf);
  const same = names.find(isSame);
  if (same !== undefined) return { player: same };
  if (openings.some(({ eco, name }) => isSame(name) || isSame(eco))) return { opening: word };
  const [only] = names;
  return only !== undefined && names.length === 1 && openings.length === 0 ? { player: only } : null;
}
