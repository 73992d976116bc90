/**
 * Whoever follows the link of an invitation that somebody else has accepted sees that game, and is told why. Not whoever
 * comes to the game in another way, nor on a reload.
 */
import { useEffect } from "preact/hooks";
import type { Challenge, GameId } from "#protocol";
import { Missing, readJson } from "../../net/api";
import { pathOf } from "../../state/route";
import { useStore, useText } from "../context";

/** `isWatching`: whether the game is shown, is in progress, and is one of others. */
export function useLate(id: GameId, isWatching: boolean): void {
  const store = useStore();
  const { takenWatching } = useText().challenge;
  useEffect(() => {
    if (!isWatching || !isFirstPage(id)) return;
    let isCurrent = true;
    void wasByLink(id).then((was) => was && isCurrent && store.notice("info", takenWatching));
    return () => {
      isCurrent = false;
    };
  }, [id, isWatching]);
}

/** Whether the browser has come to this page by its address. */
function isFirstPage(id: GameId): boolean {
  const [first] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return first?.type === "navigate" && new URL(first.name).pathname === pathOf({ at: "game", id });
}

/** Whether the game has come of a link that one player sends to another; a server that was restarted does not know it. */
async function wasByLink(id: GameId): Promise<boolean> {
  const answer = await readJson<Challenge>(`/api/challenges/${id}`).catch(() => null);
  if (!(answer instanceof Missing) || answer.code !== "challenge_taken") return false;
  const { challenge } = (answer.body ?? {}) as { readonly challenge?: Challenge };
  return challenge !== undefined && challenge.to === undefined && !challenge.seek;
}
