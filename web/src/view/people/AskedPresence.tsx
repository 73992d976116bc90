/**
 * Whether a player is here, before a game and after it: for whoever is invited, and whoever thinks of a rematch. Asked for
 * again and again, for a while, as only a game in progress tells of coming and going.
 */
import { useEffect, useState } from "preact/hooks";
import type { AccountId, Player } from "#protocol";
import { getJson } from "../../net/api";
import { useText } from "../context";

const EACH_MS = 10_000;
/** Whoever waits for longer can look at the player's page. */
const TIMES = 60;

export function AskedPresence({ account }: { readonly account: AccountId }) {
  const text = useText();
  const [isHere, set] = useState<boolean | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isCurrent = true;
    const ask = async (times: number): Promise<void> => {
      const player = document.hidden ? null : await getJson<Player>(`/api/players/${account}`).catch(() => null);
      if (!isCurrent) return;
      if (player) set(player.here);
      if (times < TIMES) timer = setTimeout(() => void ask(times + 1), EACH_MS);
    };
    void ask(1);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [account]);
  if (isHere === null) return null;
  return (
    <span class={isHere ? "presence here" : "presence away"}>
      <span class="dot" aria-hidden="true" />
      <span class="presence-word">{isHere ? text.lobby.here : text.lobby.away}</span>
    </span>
  );
}
