/** The filter of a list of games in the browser's history: who goes back to the list finds it as it was left. */
import { type GameFilter, filterOf } from "../../state/gameFilter";

export function keptFilter(): GameFilter {
  return filterOf((history.state as { readonly games?: unknown } | null)?.games);
}

export function keepFilter(games: GameFilter): void {
  history.replaceState({ games }, "");
}
