/** Openings by name, which the server has a list of. */
import type { FoundOpenings } from "#protocol";
import { type Answer, askJson } from "./ask";

/** The openings that somebody may mean by a part of a name, the likeliest first. */
export function findOpenings(part: string): Promise<Answer<FoundOpenings>> {
  return askJson<FoundOpenings>(`/api/openings?name=${encodeURIComponent(part)}`);
}
