/** The own last games from the archive, asked for when the home page opens. */
import { useEffect, useState } from "preact/hooks";
import type { AccountId, FoundPlayer, PlayedGame, PlayedGames } from "#protocol";
import { askJson, keepAsking } from "../../net/ask";
import { RECENT_ASKED, keepPlaces, keptPlaces, recentGames } from "../../state/recentGames";
import { rowOf } from "../../state/played";
import { useApp, useStore } from "../context";

/** What was read last, for the names that are suggested. */
let lastRead: { readonly account: AccountId; readonly games: readonly PlayedGame[] } | null = null;

export interface Recent {
  readonly games: ReturnType<typeof recentGames>;
  /** How many places are to be kept free for games that are not known yet. */
  readonly places: number;
  /** Whether one has played none, which is known. */
  readonly isNone: boolean;
}

export function useRecentGames(): Recent {
  const store = useStore();
  const account = useApp((app) => app.account);
  const known = useApp((app) => app.games);
  const [read, set] = useState<typeof lastRead>(null);
  const [kept] = useState(() => keptPlaces(localStorage));
  useEffect(() => {
    if (account === null) return;
    return keepAsking(
      0,
      () => askJson<PlayedGames>(`/api/games?player=${account}&limit=${RECENT_ASKED}`),
      (answer) => {
        if (answer.kind === "later" || answer.kind === "failed") return;
        lastRead = { account, games: answer.kind === "there" ? answer.value.games : [] };
        set(lastRead);
      },
    );
  }, [account]);
  const played = read?.account === account ? read : null;
  const games = account === null ? [] : recentGames(account, played?.games ?? [], Object.values(known));
  useEffect(() => {
    if (played) keepPlaces(localStorage, games.length);
  }, [played, games.length]);
  const isAwaited = account === null ? store.maybeSomebody : played === null;
  const places = isAwaited ? Math.max(0, kept - games.length) : 0;
  return { games, places, isNone: played !== null && games.length === 0 };
}

/** The last of one's own games against a player, as far as it is one of the last games at all. */
export function lastGameAgainst(account: AccountId): PlayedGame | null {
  const against = (game: PlayedGame): boolean => rowOf(game, lastRead?.account ?? "").opponent.account === account;
  return lastRead?.games.find(against) ?? null;
}

/** Whom one has played lately, each once, the last one first. */
export function lastOpponents(account: AccountId | null): readonly FoundPlayer[] {
  if (account === null || lastRead?.account !== account) return [];
  const found = new Map<AccountId, FoundPlayer>();
  for (const game of lastRead.games) {
    const { account: who, name, bot } = rowOf(game, account).opponent;
    if (!found.has(who)) found.set(who, { account: who, name, here: false, ...(bot ? { bot } : {}) });
  }
  return [...found.values()];
}
