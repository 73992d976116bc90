/** What became of a rated game, for the player whose rating it has changed, in words. */
import type { PastRating } from "#protocol";
import type { Catalogue } from "../../text";

const FATES = ["lost", "drawn", "won"] as const;

/** Also whether it counts no longer, and whether its result was corrected. */
export function fateOfPoints(text: Catalogue, { half_points, cause }: PastRating): string {
  const { ratings } = text.people;
  const fate = half_points === undefined ? undefined : FATES[half_points];
  const words = fate ? text.archive.fates[fate] : ratings.withdrawn;
  return cause === "correction" ? `${words} (${ratings.corrected})` : words;
}
