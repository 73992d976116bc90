/**
 * The pools, with how many wait in the place of the speed: one tap joins or leaves, and the last tile leads to the form for
 * a game with another clock against anybody. What one waits for is said in `Start`.
 */
import type { PoolId } from "#protocol";
import { POOLS, controlOfPool, speedOf } from "../../state/lobby";
import { othersIn, placeOf } from "../../state/pairing";
import { useApp, useStore, useText } from "../context";

export function Pools({ otherClock }: { otherClock(): void }) {
  const app = useApp();
  const store = useStore();
  const text = useText();
  const mine = placeOf(app.pairing);
  return (
    <div class="pools">
      <p class="quiet">
        {text.lobby.pick} {app.people.kind === "registered" && text.people.rated.pools}
      </p>
      <div class="pool-tiles">
        {POOLS.map((pool) => (
          <Tile
            key={pool}
            pool={pool}
            waiting={othersIn(app.pairing, pool, app.lobby?.pools ?? {})}
            isMine={mine === pool}
            tap={() => (mine === pool ? store.leavePool() : store.joinPool(pool))}
          />
        ))}
        <button type="button" class="pool" onClick={otherClock}>
          {text.home.otherClock}
        </button>
      </div>
    </div>
  );
}

interface TileProps {
  readonly pool: PoolId;
  readonly waiting: number;
  readonly isMine: boolean;
  tap(): void;
}

function Tile({ pool, waiting, isMine, tap }: TileProps) {
  const text = useText();
  const speed = text.lobby.speeds[speedOf(controlOfPool(pool))];
  return (
    <button type="button" class="pool" aria-pressed={isMine} onClick={tap}>
      <span class="pool-clock">{pool}</span>{" "}
      <span class={waiting > 0 ? "pool-speed visually-hidden" : "pool-speed"}>{speed}</span>{" "}
      {waiting > 0 && <span class="pool-count">{text.lobby.waitingCount(waiting)}</span>}
    </button>
  );
}
