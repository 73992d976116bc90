/**
 * What the page of a player begins with: the account, and those of its games in progress in which there is something to see,
 * read before anything is shown, so that nothing moves when they are there. One that has ended meanwhile, or that cannot be
 * read, is left out, and so is one against a program that has not begun: it is in no list of games in progress.
 */
import type { Player, Snapshot } from "#protocol";
import { isToWatch } from "../state/lobby";
import { getJson } from "./api";

/** At most so many are shown. */
const LIVE_MAX = 4;
/** At most so many are read, as there may be nothing to see in some. */
const READ_MAX = 12;

/** Null where nobody is found by `who`, a name or an account. */
export async function readPlayer(who: string): Promise<{ player: Player; live: readonly Snapshot[] } | null> {
  const player = await getJson<Player>(`/api/players/${encodeURIComponent(who)}`);
  if (player === null) return null;
  const read = await Promise.all(
    player.live.slice(0, READ_MAX).map((id) => getJson<Snapshot>(`/api/games/${id}`).catch(() => null)),
  );
  const live = read.filter((game) => game !== null).filter(isGoingOn);
  return { player, live: live.slice(0, LIVE_MAX) };
}

function isGoingOn(game: Snapshot): boolean {
  return game.state.phase === "playing" && isToWatch(game);
}
