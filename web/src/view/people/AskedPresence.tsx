/**
 * Whether a player is online, before a game and after it, and whether a game by the clock keeps them: for whoever is invited,
 * and whoever thinks of a rematch. Asked for again and again, for a while, as only a game in progress tells of coming and
 * going. After a game it is asked for often at first, and again from each offer of a rematch on.
 */
import { useEffect, useState } from "preact/hooks";
import type { AccountId, ChallengeId, GameId, Player, Snapshot } from "#protocol";
import { getJson } from "../../net/api";
import { useText } from "../context";
import { type Presence, PresenceMark } from "./PresenceMark";

const EACH_MS = 10_000;
/** Whoever goes from page to page is nowhere for a moment: what was not so before is asked for once more. */
const AGAIN_MS = 2_000;
/** So many times it is asked for as soon as that after a game: then one decides on a rematch. */
export const OFTEN = 15;
/** Whoever waits for longer can look at the player's page. */
const TIMES = 60;
/** Of the games in progress so many are looked at: most people play one. */
const LOOKED_AT = 3;

/** `byClock` keeps which games have a clock: that never changes. */
async function presenceOf(account: AccountId, byClock: Map<GameId, boolean>): Promise<Presence | null> {
  const player = await getJson<Player>(`/api/players/${account}`);
  if (!player?.here) return player && "away";
  const games = player.live.slice(0, LOOKED_AT);
  for (const id of games) {
    if (!byClock.has(id)) byClock.set(id, (await getJson<Snapshot>(`/api/games/${id}`))?.time_control.kind === "clock");
  }
  return games.some((id) => byClock.get(id)) ? "inGame" : "here";
}

/**
 * Null while it is not known, and of nobody. `often`: how many times it is asked for soon. `offer` is what the answer matters
 * for: a new one is a reason to ask at once, and until there is an answer the last one holds.
 */
export function useAskedPresence(account: AccountId | null, often = 0, offer?: ChallengeId): Presence | null {
  const [known, set] = useState<{ readonly of: AccountId | null; readonly presence: Presence | null } | null>(null);
  const presence = known?.of === account ? known.presence : null;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isCurrent = account !== null;
    const byClock = new Map<GameId, boolean>();
    const ask = async (times: number, before: Presence | null): Promise<void> => {
      const now = account === null || document.hidden ? before : await presenceOf(account, byClock).catch(() => before);
      if (!isCurrent) return;
      const isSure = now !== "away" || before === now;
      if (isSure) set({ of: account, presence: now });
      if (times < TIMES)
        timer = setTimeout(() => void ask(times + 1, now), isSure && times > often ? EACH_MS : AGAIN_MS);
    };
    void ask(1, presence);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [account, offer]);
  return presence;
}

export function AskedPresence({ account }: { readonly account: AccountId }) {
  const { lobby } = useText();
  const presence = useAskedPresence(account);
  if (presence === null) return null;
  return (
    <PresenceMark presence={presence}>
      <span>{lobby[presence]}</span>
    </PresenceMark>
  );
}
