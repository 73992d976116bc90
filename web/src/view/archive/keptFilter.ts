/** The filter of a list of games in the browser's history: who goes back to the list finds it as it was left. */
import { type GameFilter, filterOf } from "../../state/gameFilter";

/** Null before any was kept. */
export function keptFilter(): GameFilter | null {
  const kept = (history.state as { readonly games?: unknown } | null)?.games;
  return kept === undefined ? null : filterOf(kept);
}

export function keepFilter(games: GameFilter): void {
  history.replaceState({ games }, "");
}
