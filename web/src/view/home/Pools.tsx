/**
 * The pools, with how many wait for such a game at the corner: one tap joins or leaves, and the last tile leads to
 * the form for a game with another clock against anybody. What one waits for is said in `Start`.
 */
import type { PoolId } from "#protocol";
import { POOLS, controlOfPool, speedOf } from "../../state/lobby";
import { openIn } from "../../state/openGames";
import { othersIn, placeOf } from "../../state/pairing";
import type { Catalogue } from "../../text";
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
            open={openIn(app, pool).length}
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
  /** How many open games of others have its clock. */
  readonly open: number;
  readonly isMine: boolean;
  tap(): void;
}

function Tile({ pool, waiting, open, isMine, tap }: TileProps) {
  const text = useText();
  const count = countOf(text, waiting, open);
  const speed = text.lobby.speeds[speedOf(controlOfPool(pool))];
  return (
    // Waiting moves the tiles: the second click of a double click may be on another one.
    <button type="button" class="pool" aria-pressed={isMine} onClick={(event) => event.detail < 2 && tap()}>
      <span class="pool-clock">{pool}</span> <span class="pool-speed">{speed}</span>{" "}
      {count && <span class="pool-count">{count}</span>}
    </button>
  );
}

/** How many wait for a game with this clock, in the pool or else with open games; empty where nobody does. */
export function countOf({ lobby }: Catalogue, waiting: number, open: number): string {
  if (waiting > 0) return lobby.waitingCount(waiting);
  return open > 0 ? lobby.openCount(open) : "";
}
