/** A program's client with scripted sockets: its games and commands over lost connections, and whom it is. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ServerMessage } from "../../../protocol/bindings/protocol.js";
import { Client } from "../src/client.js";
import { TokenIdentity } from "../src/identity.js";
import { GAME, WHITE, move, snapshot } from "./scene.js";
import { Socket } from "./socket.js";

function scene(token: string | null = "secret") {
  const sockets: Socket[] = [];
  const told: string[] = [];
  const identity = new TokenIdentity(token);
  const client: Client = new Client(
    {
      url: "ws://test/ws",
      identity,
      open: () => {
        const socket = new Socket();
        sockets.push(socket);
        return socket;
      },
    },
    {
      turn: (game) => {
        told.push(`turn ${game.on}`);
        void client.play(game, "e2e4");
      },
      ended: (game) => told.push(`ended ${game.outcome?.score}`),
      stopped: (code) => told.push(`stopped ${code}`),
    },
  );
  client.connect();
  /** The newest socket, once it is open. */
  const open = async (): Promise<Socket> => {
    await vi.advanceTimersByTimeAsync(0);
    const socket = sockets.at(-1) ?? new Socket();
    socket.onopen?.();
    return socket;
  };
  const welcomed = async (): Promise<Socket> => {
    const socket = await open();
    socket.welcome();
    return socket;
  };
  const cut = async (socket: Socket): Promise<Socket> => {
    socket.onclose?.({ code: 1006, reason: "" });
    await vi.advanceTimersByTimeAsync(1000);
    return open();
  };
  return { client, identity, sockets, told, open, welcomed, cut };
}

const begun: ServerMessage = { t: "snapshot", d: snapshot() };
const turn: ServerMessage = {
  t: "turn",
  d: { game: GAME, on: 1, fen: "", legal: ["e2e4"], white_ms: 1, black_ms: 1 },
};
const ended: ServerMessage = {
  t: "ended",
  d: { game: GAME, seq: 3, score: "1-0", reason: "resignation", white_ms: 1, black_ms: 1 },
};
const kinds = (socket: Socket): string[] => socket.sent.map((message) => message.t);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("who it is", () => {
  test("a token names it; a new guest comes back with the token that it was given", async () => {
    expect((await scene().open()).sent).toEqual([{ t: "hello", d: { token: "secret" } }]);
    const { identity, open, cut } = scene(null);
    const socket = await open();
    expect(socket.sent).toEqual([{ t: "hello", d: { guest: true } }]);
    socket.hear({ t: "welcome", d: { account: WHITE, token: "new", boot: "b", epoch: "e", limits: {} as never } });
    expect(identity.token).toBe("new");
    expect((await cut(socket)).sent).toEqual([{ t: "hello", d: { token: "new" } }]);
  });

  test("a token that no account has ends it, and it says so once", async () => {
    const { client, sockets, told, open } = scene();
    (await open()).hear({ t: "rejected", d: { id: null, code: "bad_token", message: "" } });
    void client.command({ t: "resign", d: { game: GAME } });
    await vi.advanceTimersByTimeAsync(60_000);
    expect([told, sockets.length]).toEqual([["stopped bad_token"], 1]);
  });

  test("a server that is busy is asked again", async () => {
    const { sockets, told, open } = scene();
    (await open()).hear({ t: "rejected", d: { id: null, code: "unavailable", message: "" } });
    await vi.advanceTimersByTimeAsync(1000);
    expect([told, sockets.length]).toEqual([[], 2]);
  });
});

describe("games", () => {
  test("a move that was not answered goes again, and is not chosen again", async () => {
    const { told, welcomed, cut } = scene();
    const first = await welcomed();
    first.hear(begun);
    first.hear(turn);
    const sent = first.sent.at(-1);
    expect(sent).toMatchObject({ t: "move", d: { game: GAME, on: 1, uci: "e2e4" } });
    const second = await cut(first);
    second.welcome();
    second.hear(begun);
    second.hear(turn);
    expect(second.sent.filter(({ t }) => t === "move")).toEqual([sent]);
    expect(told).toEqual(["turn 1"]);
  });

  test("one that ended meanwhile is asked for from where it stood, and ends once", async () => {
    const { client, told, welcomed, cut } = scene();
    const first = await welcomed();
    first.hear(begun);
    const second = await cut(first);
    second.welcome();
    expect(second.sent.at(-1)).toEqual({ t: "watch", d: { game: GAME, id: "watch", after: 1 } });
    second.hear(move(1));
    second.hear(ended);
    second.hear(ended);
    expect([told, client.games]).toEqual([["ended 1-0"], []]);
    expect(kinds(await cut(second))).toEqual(["hello"]);
  });

  test("of others are followed until they end, over every connection", async () => {
    const { client, welcomed, cut } = scene();
    client.watch(GAME);
    const first = await welcomed();
    expect(first.sent.at(-1)).toEqual({ t: "watch", d: { game: GAME, id: "watch" } });
    first.hear(begun);
    first.hear(move(1));
    expect(client.games.map(({ seq }) => seq)).toEqual([2]);
    const second = await cut(first);
    second.welcome();
    expect(second.sent.at(-1)).toEqual({ t: "watch", d: { game: GAME, id: "watch", after: 2 } });
    second.hear({ t: "rejected", d: { id: "watch", game: GAME, code: "unknown_game", message: "" } });
    const third = await cut(second);
    third.welcome();
    expect(kinds(third)).toEqual(["hello"]);
  });

  test("that cannot be had now are asked for again, and not those that are not there", async () => {
    const { client, welcomed } = scene();
    client.watch(GAME);
    const socket = await welcomed();
    socket.hear({ t: "rejected", d: { id: "watch", game: GAME, code: "unavailable", message: "" } });
    await vi.advanceTimersByTimeAsync(1000);
    expect(kinds(socket)).toEqual(["hello", "watch", "watch"]);
    socket.hear({ t: "rejected", d: { id: "watch", game: GAME, code: "unknown_game", message: "" } });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(kinds(socket)).toEqual(["hello", "watch", "watch"]);
  });

  test("have their clock measured once in a turn that takes long: what began it may have come late", async () => {
    const { client, welcomed } = scene();
    client.watch(GAME);
    const socket = await welcomed();
    for (const message of [begun, move(1), move(2)]) socket.hear(message);
    expect(client.games[0]?.clocks).toMatchObject({ running: "white", isMeasured: false });
    socket.sent.length = 0;
    await vi.advanceTimersByTimeAsync(100);
    expect(socket.sent).toEqual([{ t: "watch", d: { game: GAME, after: 3, id: "watch" } }]);
    const clock = { game: GAME, seq: 3, white_ms: 170_000, black_ms: 180_000, running: "white" } as const;
    socket.hear({ t: "clock", d: { ...clock, id: "watch" } });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(socket.sent).toHaveLength(1);
  });

  test("another epoch means that nothing known holds", async () => {
    const { client, welcomed, cut } = scene();
    const first = await welcomed();
    first.hear(begun);
    const second = await cut(first);
    second.hear({ t: "welcome", d: { account: WHITE, boot: "b", epoch: "other", limits: {} as never } });
    expect([client.games, second.sent.at(-1)]).toEqual([[], { t: "watch", d: { game: GAME, id: "watch" } }]);
  });
});

describe("commands", () => {
  test("have their answer, whatever it is", async () => {
    const { client, welcomed } = scene();
    const socket = await welcomed();
    const resigned = client.command({ t: "resign", d: { game: GAME } });
    const id = (socket.sent.at(-1) as { d: { id: string } }).d.id;
    socket.hear({ t: "rejected", d: { id, game: GAME, code: "game_over", message: "" } });
    expect(await resigned).toMatchObject({ t: "rejected", d: { code: "game_over" } });
  });

  test("go again a second after the server had no room for them", async () => {
    const { client, welcomed } = scene();
    const socket = await welcomed();
    const resigned = client.command({ t: "resign", d: { game: GAME } });
    const idOfLast = (): string => (socket.sent.at(-1) as { d: { id: string } }).d.id;
    socket.hear({ t: "rejected", d: { id: idOfLast(), game: GAME, code: "unavailable", message: "" } });
    await vi.advanceTimersByTimeAsync(1000);
    expect(kinds(socket)).toEqual(["hello", "resign", "resign"]);
    socket.hear({ t: "ok", d: { id: idOfLast(), game: GAME, seq: 2 } });
    expect(await resigned).toMatchObject({ t: "ok", d: { seq: 2 } });
  });

  test("are forgotten when it is closed, and it does not come back", async () => {
    const { client, sockets, welcomed } = scene();
    await welcomed();
    client.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([sockets.length, client.connection.phase, client.connection.outbox]).toEqual([1, "idle", []]);
  });
});
