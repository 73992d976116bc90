/**
 * The store with a scripted socket, for tests: what the page keeps, sends and shows, with timers that the test moves on. What the
 * server says over HTTP is stubbed.
 */
import { afterEach, beforeEach, vi } from "vitest";
import { Socket } from "../../clients/js/test/socket";
import { CookieIdentity } from "../src/net/identity";
import { firstApp } from "../src/state/app";
import type { KeptChallenges } from "../src/state/invitations";
import { NO_PAIRING } from "../src/state/pairing";
import type { Route } from "../src/state/route";
import { DEFAULT_SETTINGS } from "../src/state/settings";
import { Store } from "../src/store";
import { GAME, WHITE, challenge } from "./scene";

/** For the tests of a file: `said` is what the server says of every challenge but one. */
export function stubServer(said: { answer: { readonly status: number; readonly body: object } }): void {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("history", { pushState: () => undefined });
    vi.stubGlobal("scrollTo", () => undefined);
    said.answer = { status: 404, body: {} };
    vi.stubGlobal("fetch", (path: string) =>
      Promise.resolve(
        path === `/api/challenges/${GAME}`
          ? Response.json(challenge(GAME))
          : Response.json(said.answer.body, { status: said.answer.status }),
      ),
    );
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
}

export function scene(route: Route = { at: "home" }, guest = true, pairing = NO_PAIRING) {
  const sockets: Socket[] = [];
  const stored = new Map<string, string>(guest ? [["zeitnot.guest", "1"]] : []);
  const identity = new CookieIdentity({
    storage: {
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, value) => void stored.set(key, value),
      removeItem: (key) => void stored.delete(key),
    },
    fetch: () => Promise.resolve(Response.json({})),
  });
  let id = 0;
  let kept: KeptChallenges = {};
  const world = {
    open: () => {
      const socket = new Socket();
      sockets.push(socket);
      return socket;
    },
    now: () => Date.now(),
    url: "ws://test/ws",
    commandId: () => `c${++id}`,
  };
  const device = {
    keepSettings: () => undefined,
    settingsOf: () => Promise.resolve(null),
    keepRematches: () => undefined,
    keepChallenges: (own: KeptChallenges) => {
      kept = own;
    },
    call: () => undefined,
    vibrate: () => undefined,
  };
  const first = { ...firstApp({ ...DEFAULT_SETTINGS, sound: false }, route), pairing };
  const store = new Store(first, world, identity, device);
  /** The newest socket, opened and welcomed. */
  const open = async (account: string | null = WHITE): Promise<Socket> => {
    await vi.advanceTimersByTimeAsync(0);
    const socket = sockets.at(-1) ?? new Socket();
    socket.onopen?.();
    socket.welcome(account);
    return socket;
  };
  const cut = async (socket: Socket): Promise<Socket> => {
    socket.onclose?.({ code: 1006, reason: "" });
    await vi.advanceTimersByTimeAsync(1000);
    return open();
  };
  return { store, sockets, open, cut, kept: () => kept };
}
