/** What one word may mean that names a player or an opening, and which of the two. */
import type { FoundOpenings } from "#protocol";
import type { Answer } from "../../net/ask";
import { type FoundPeople, findOpenings, findPeople } from "../../net/find";
import { areMoves } from "../../state/gameFilter";

export interface FoundEither {
  readonly people: FoundPeople;
  readonly openings: FoundOpenings;
}

/** Where the server answers one question alone, what that finds. */
export async function findEither(part: string): Promise<Answer<FoundEither>> {
  const [people, openings] = await Promise.all([findPeople(part), findOpenings(part)]);
  if (people.kind !== "there" && openings.kind !== "there") return people;
  return {
    kind: "there",
    value: {
      people: people.kind === "there" ? people.value : { players: [], names: [] },
      openings: openings.kind === "there" ? openings.value : { openings: [] },
    },
  };
}

/** Moves are an opening, and so is what no player's name begins with but an opening's name has in it. */
export async function whichOf(typed: string): Promise<"player" | "opening"> {
  if (areMoves(typed)) return "opening";
  const found = await findEither(typed);
  if (found.kind !== "there") return "player";
  const { people, openings } = found.value;
  const isPlayer = people.players.length + people.names.length > 0;
  return !isPlayer && openings.openings.length > 0 ? "opening" : "player";
}

export type Condition = { readonly player: string } | { readonly opening: string };

/** What a list is searched for by one word; null for nothing, and where it is not wanted any more when that is known. */
export async function conditionOf(typed: string, isWanted: () => boolean): Promise<Condition | null> {
  const value = typed.trim();
  if (value === "") return null;
  const which = await whichOf(value);
  if (!isWanted()) return null;
  return which === "opening" ? { opening: value } : { player: value };
}
