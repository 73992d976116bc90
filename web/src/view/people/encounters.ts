/** The finished games of two players: how many each has won, and the last one. Asked for when the page opens. */
import type { AccountId, PlayedGame, PlayedGames } from "#protocol";
import { askJson } from "../../net/ask";
import { NO_FILTER, allSides, bySide } from "../../state/gameFilter";
import type { GameTally } from "../../state/gameTally";
import { countOf } from "../archive/games";
import { type Fetched, useLoaded } from "../fetched";

export interface Encounters {
  readonly last: PlayedGame;
  /** For the first of both; null when it is not known. */
  readonly tally: GameTally | null;
}

/** Missing where the two have played none, or one of them is nobody or the other. */
export function useEncounters(own: AccountId | null, other: AccountId): Fetched<Encounters> {
  return useLoaded(() => encountersOf(own, other), `${own} ${other}`).fetched;
}

async function encountersOf(own: AccountId | null, other: AccountId): Promise<Encounters | null> {
  if (own === null || own === other) return null;
  const filter = { ...NO_FILTER, opponent: other };
  const answer = await askJson<PlayedGames>(`/api/games?${allSides(own, filter).join()}&limit=1`);
  if (answer.kind !== "there") throw new Error(answer.kind);
  const [last] = answer.value.games;
  return last ? { last, tally: await countOf(bySide(own, filter)) } : null;
}
