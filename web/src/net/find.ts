/** Players and openings by a part of their names. */
import type { FoundOpenings, FoundPlayers } from "#protocol";
import { type Answer, askJson } from "./ask";

/** The players whose names begin so, the likeliest first. */
export function findPlayers(beginning: string): Promise<Answer<FoundPlayers>> {
  return askJson<FoundPlayers>(`/api/players?name=${encodeURIComponent(beginning)}`);
}

/** The openings that somebody may mean by a part of a name, the likeliest first. */
export function findOpenings(part: string): Promise<Answer<FoundOpenings>> {
  return askJson<FoundOpenings>(`/api/openings?name=${encodeURIComponent(part)}`);
}
