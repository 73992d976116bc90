/** The finished game that the home page replays while nobody plays: one of this server, or a famous one. */
import { useEffect, useState } from "preact/hooks";
import type { Snapshot } from "#protocol";
import { getJson } from "../../net/api";
import { OPERA_GAME } from "../../state/operaGame";
import { type Replayed, replayedOf } from "../../state/replay";

const PATH = "/api/games/featured";

/** Null until it is known which. Asked for once, and only when it is `needed`. */
export function useFeaturedGame(needed: boolean): Replayed | null {
  const [game, set] = useState<Replayed | null>(null);
  useEffect(() => {
    if (!needed || game) return;
    let isCurrent = true;
    void getJson<{ readonly game: Snapshot | null }>(PATH)
      .catch(() => null)
      .then((answer) => isCurrent && set(replayedOf(answer?.game ?? null) ?? OPERA_GAME));
    return () => {
      isCurrent = false;
    };
  }, [needed, game]);
  return game;
}
