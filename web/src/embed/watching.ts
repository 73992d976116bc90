/**
 * Watching one game as nobody: the connection of a frame on another site.
 *
 * Stores nothing and has no account, as browsers keep storage and cookies from frames of other sites. Sends nothing but
 * `hello` and `watch`.
 */
import {
  type Game,
  type Identity,
  Link,
  type LinkWorld,
  applyMessage,
  fromSnapshot,
  isClockEstimated,
} from "zeitnot-client";

/** Nobody: a connection that may only watch. */
export class Nobody implements Identity {
  readonly maybe = false;
  hello() {
    return Promise.resolve({});
  }
  become() {
    return Promise.reject(new Error("unavailable"));
  }
  welcomed() {
    // There is no account to remember.
  }
  doubt() {
    // Nothing to find out.
  }
}

/** `unknown`: there is no such game. `waiting`: there is no connection. */
export interface Watched {
  readonly game: Game | null;
  readonly state: "open" | "waiting" | "unknown";
}

/** After so long a game is asked for again that could not be had. */
const ASKED_AGAIN_MS = 3_000;

/** Follows a game, and tells of each change. Ends with the page. */
export function watch(id: string, world: LinkWorld, changed: (watched: Watched) => void): void {
  let watched: Watched = { game: null, state: "waiting" };
  const set = (next: Partial<Watched>) => {
    watched = { ...watched, ...next };
    changed(watched);
  };
  const ask = () => link.ask({ t: "watch", d: { game: id } });
  const link = new Link(world, new Nobody(), {
    changed: ({ phase }) => {
      const state = phase === "open" || phase === "slow" ? "open" : "waiting";
      if (watched.state !== "unknown" && watched.state !== state) set({ state });
    },
    welcomed: ask,
    message: (message, arrival) => {
      if (message.t === "snapshot" && message.d.game === id)
        set({ game: fromSnapshot(message.d, arrival, watched.game ?? undefined) });
      else if (message.t === "rejected" && message.d.code === "unknown_game") {
        set({ state: "unknown" });
        link.close();
      } else if (message.t === "rejected" && message.d.code === "unavailable") {
        setTimeout(ask, ASKED_AGAIN_MS);
      } else if (watched.game) {
        const game = applyMessage(watched.game, message, arrival);
        if (game !== watched.game) set({ game });
      }
    },
    alive: () => {
      const { game } = watched;
      if (game && isClockEstimated(game)) link.ask({ t: "watch", d: { game: id, after: game.seq, id: "watch" } });
    },
    nobody: () => undefined,
  });
  link.connect();
}
