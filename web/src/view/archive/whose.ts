/**
 * Whose games are listed among those of everybody: who is meant by what stands in the filter, an account, a name, or the
 * beginning of a name; and which of the lists at the head of the page that is. Does not look for games.
 */
import type { AccountId, Player } from "#protocol";
import { askJson } from "../../net/ask";
import { type Meant, whoIsMeant } from "../../net/find";
import { type GameFilter, NO_FILTER } from "../../state/gameFilter";
import { isGuestName, meant } from "../../state/suggestions";

const ACCOUNT = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

/** Of games that were played here it is somebody with an account, of imported ones somebody without. */
export async function whoseGames({ player, origin }: GameFilter): Promise<Meant> {
  const named = player.trim();
  // A guest without a chosen name is found by the account alone.
  if (ACCOUNT.test(named)) {
    const answer = await askJson<Player>(`/api/players/${named}`);
    return { one: answer.kind === "there" ? answer.value : null, others: [] };
  }
  const found = await whoIsMeant(named);
  if (origin === "") return found;
  const all = (found.one === null ? found.others : [found.one]).filter(
    (one) => (typeof one === "string") === (origin === "imported"),
  );
  const one = meant(named, all);
  return { one, others: one ? [] : all };
}

/** Which list of the head a filter is of. */
export type ListOf = "all" | "own" | "imported";

/** Somebody's own account, with the name. */
export interface Own {
  readonly account: AccountId;
  readonly name: string;
}

export function listOf({ player, origin }: GameFilter, own: Own | null): ListOf {
  if (own && isOwn(player, own)) return "own";
  return origin === "imported" ? "imported" : "all";
}

function isOwn(player: string, { account, name }: Own): boolean {
  const named = player.trim().toLowerCase();
  return named === account || named === name.toLowerCase();
}

/** The whole of the list that a filter is of, with the player as the filter names it. */
export function wholeLike(filter: GameFilter, own: Own | null): GameFilter {
  const list = listOf(filter, own);
  return list === "own" ? { ...NO_FILTER, player: filter.player } : wholeOf(list, own);
}

/** The whole of a list, without any other condition. */
export function wholeOf(list: ListOf, own: Own | null): GameFilter {
  if (list === "imported") return { ...NO_FILTER, origin: "imported" };
  if (list === "all" || !own) return NO_FILTER;
  return { ...NO_FILTER, player: isGuestName(own.name) ? own.account : own.name };
}
