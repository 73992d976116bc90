/** The connection with a scripted socket and made-up time: coming back, sending again, telling the truth. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ServerMessage } from "../../../protocol/bindings/protocol.js";
import { GONE_AFTER_MS, Link, SLOW_AFTER_MS } from "../src/link.js";
import type { Arrival } from "../src/game.js";
import { RoundTrip } from "../src/roundTrip.js";
import { GAME } from "./scene.js";
import { Socket } from "./socket.js";

/** A client that the server knows: it is welcomed without a word. */
const KNOWN = {
  maybe: true,
  hello: () => Promise.resolve(null),
  become: () => Promise.resolve(),
  welcomed: () => undefined,
  doubt: () => undefined,
};

function scene() {
  const sockets: Socket[] = [];
  const arrivals: Arrival[] = [];
  let command = 0;
  const link = new Link(
    {
      open: () => {
        const socket = new Socket();
        sockets.push(socket);
        return socket;
      },
      now: () => Date.now(),
      url: "ws://test/ws",
      commandId: () => `c${++command}`,
    },
    KNOWN,
    {
      changed: () => undefined,
      welcomed: () => undefined,
      message: (_, arrival) => arrivals.push(arrival),
      nobody: () => undefined,
    },
  );
  const newest = (): Socket => sockets[sockets.length - 1] ?? new Socket();
  const open = async (): Promise<Socket> => {
    await vi.advanceTimersByTimeAsync(0);
    newest().onopen?.();
    return newest();
  };
  return { link, sockets, arrivals, open };
}

const resign = { t: "resign", d: { game: GAME } } as const;
const create = { t: "create_challenge", d: { time_control: { kind: "unlimited" } } } as const;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("sending again", () => {
  test("what had no answer goes again under its id, and what was answered does not", async () => {
    const { link, open } = scene();
    link.connect();
    const first = await open();
    first.welcome();
    link.command({ t: "move", d: { game: GAME, on: 1, uci: "e2e4" } });
    link.command(resign);
    first.hear({ t: "ok", d: { id: "c1", game: GAME, seq: 2 } });
    first.onclose?.({ code: 1006, reason: "" });
    await vi.advanceTimersByTimeAsync(1000);
    const second = await open();
    expect(second.sent).toEqual([]);
    second.welcome();
    expect(second.sent).toEqual([{ t: "resign", d: { game: GAME, id: "c2" } }]);
    expect(link.state.outbox.map((pending) => pending.tries)).toEqual([2]);
    second.hear({ t: "rejected", d: { id: "c2", code: "game_over", message: "" } });
    expect(link.state.outbox).toEqual([]);
  });

  test("a challenge too: its id makes it one", async () => {
    const { link, open } = scene();
    link.connect();
    (await open()).welcome();
    link.command(create);
    link.connect();
    const second = await open();
    second.welcome();
    expect(second.sent).toEqual([{ t: "create_challenge", d: { ...create.d, id: "c1" } }]);
  });
});

describe("coming back", () => {
  test("after what the server says, and not when it says so", async () => {
    const { link, sockets, open } = scene();
    link.connect();
    (await open()).onclose?.({ code: 4000, reason: '{"code":"slow_reader","retry_ms":1830}' });
    expect(link.state.phase).toBe("waiting");
    await vi.advanceTimersByTimeAsync(1829);
    expect(sockets).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(sockets).toHaveLength(2);
    (await open()).onclose?.({ code: 4501, reason: '{"code":"too_many_connections"}' });
    await vi.advanceTimersByTimeAsync(60_000);
    expect([sockets.length, link.state.phase, link.state.rejection]).toEqual([2, "rejected", "too_many_connections"]);
  });

  test("waits longer from try to try, and hurries when the network is back", async () => {
    const { link, sockets, open } = scene();
    link.connect();
    (await open()).onclose?.({ code: 1006, reason: "" });
    await vi.advanceTimersByTimeAsync(1000);
    (await open()).onclose?.({ code: 1006, reason: "" });
    await vi.advanceTimersByTimeAsync(1000);
    expect(sockets).toHaveLength(2);
    link.hurry();
    await open();
    expect(sockets).toHaveLength(3);
  });

  test("a page that is left closes it, and has it again with what was not answered when it comes back", async () => {
    const { link, sockets, open } = scene();
    link.leave();
    expect(link.state.phase).toBe("idle");
    link.connect();
    const first = await open();
    first.welcome();
    link.command(resign);
    link.leave();
    expect([first.readyState, link.state.phase]).toEqual([3, "waiting"]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sockets).toHaveLength(1);
    link.hurry();
    const second = await open();
    second.welcome();
    expect(second.sent).toEqual([{ t: "resign", d: { game: GAME, id: "c1" } }]);
  });

  test("a connection that never comes to welcome is tried anew", async () => {
    const { link, sockets, open } = scene();
    link.connect();
    await open();
    await vi.advanceTimersByTimeAsync(8000 + 1000);
    await open();
    expect(sockets.length).toBe(2);
  });
});

describe("the truth about the connection", () => {
  test("slow when a pong is late, lost when it stays away", async () => {
    const { link, open } = scene();
    link.connect();
    const socket = await open();
    socket.welcome();
    await vi.advanceTimersByTimeAsync(3000);
    expect(link.state.phase).toBe("open");
    socket.answersPings = false;
    await vi.advanceTimersByTimeAsync(2500 + SLOW_AFTER_MS + 500);
    expect(link.state.phase).toBe("slow");
    await vi.advanceTimersByTimeAsync(GONE_AFTER_MS - SLOW_AFTER_MS);
    expect(link.state.phase).toBe("waiting");
  });

  test("what arrives is as old as half the best round trip", async () => {
    const { link, open, arrivals } = scene();
    link.connect();
    const socket = await open();
    socket.welcome();
    await vi.advanceTimersByTimeAsync(100);
    socket.hear({ t: "watchers", d: { game: GAME, count: 1 } });
    expect(arrivals[arrivals.length - 1]).toMatchObject({ travelled: 20 });
    const trip = new RoundTrip();
    for (const [left, came] of [
      [0, 90],
      [100, 150],
      [200, 300],
    ] as const)
      trip.arrive(trip.leave(left), came);
    expect(trip.milliseconds).toBe(50);
  });

  test("a clock that was asked for is as old as half the time since the first question, and measured if that was short", () => {
    const trip = new RoundTrip();
    trip.arrive(trip.leave(0), 50);
    const d = { game: GAME, seq: 3, white_ms: 1000, black_ms: 1000, running: "white" } as const;
    const answer: ServerMessage = { t: "clock", d: { ...d, id: "watch" } };
    trip.ask(GAME, "watch", 1000);
    expect(trip.arrival({ t: "clock", d }, 1040)).toEqual({ at: 1040, travelled: 25 });
    expect(trip.arrival(answer, 1060)).toEqual({ at: 1060, travelled: 30, isMeasured: true });
    trip.ask(GAME, "watch", 2000);
    trip.ask(GAME, "watch", 2700);
    expect(trip.arrival(answer, 2720)).toEqual({ at: 2720, travelled: 360, isMeasured: false });
    expect(trip.arrival(answer, 2721)).toEqual({ at: 2721, travelled: 25 });
    // A question of another id is another one.
    trip.ask(GAME, "watch", 5000);
    expect(trip.arrival({ t: "clock", d: { ...d, id: "again" } }, 5010)).toEqual({ at: 5010, travelled: 25 });
    expect(trip.arrival(answer, 5020)).toMatchObject({ travelled: 10 });
    // The first of these was never answered.
    trip.ask(GAME, "watch", 10_000);
    trip.ask(GAME, "watch", 17_000);
    expect(trip.arrival(answer, 17_040)).toMatchObject({ travelled: 20 });
    trip.ask(GAME, "watch", 20_000);
    trip.reset();
    expect(trip.arrival(answer, 20_100)).toEqual({ at: 20_100, travelled: 25 });
  });

  test("a question that was rejected is not the one that a later clock answers", () => {
    const trip = new RoundTrip();
    trip.arrive(trip.leave(0), 50);
    const clock = { game: GAME, seq: 3, white_ms: 1000, black_ms: 1000, running: "white", id: "watch" } as const;
    trip.ask(GAME, "watch", 1000);
    const rejected = { id: "watch", game: GAME, code: "unknown_game", message: "There is no such game." } as const;
    trip.arrival({ t: "rejected", d: rejected }, 1050);
    trip.ask(GAME, "watch", 3000);
    expect(trip.arrival({ t: "clock", d: clock }, 3060)).toEqual({ at: 3060, travelled: 30, isMeasured: true });
    // Another command about the game may be rejected meanwhile.
    trip.ask(GAME, "watch", 4000);
    trip.arrival({ t: "rejected", d: { ...rejected, id: "move-1" } }, 4010);
    expect(trip.arrival({ t: "clock", d: clock }, 4060)).toEqual({ at: 4060, travelled: 30, isMeasured: true });
  });
});
