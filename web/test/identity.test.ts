/** Who a browser is: what the cookie's account does to the connection, with a scripted server. */
import { Link } from "zeitnot-client";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CookieIdentity } from "../src/net/identity";
import { Socket } from "../../clients/js/test/socket";

function scene(guest: boolean, rejections: Readonly<Record<string, readonly [number, string]>> = {}) {
  const sockets: Socket[] = [];
  const stored = new Map<string, string>(guest ? [["zeitnot.guest", "1"]] : []);
  const asked: string[] = [];
  const identity = new CookieIdentity({
    storage: {
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, value) => void stored.set(key, value),
      removeItem: (key) => void stored.delete(key),
    },
    fetch: (path, method) => {
      asked.push(`${method} ${path}`);
      const [status, code] = rejections[path] ?? [200, ""];
      return Promise.resolve({ status, json: () => Promise.resolve({ code }) });
    },
  });
  const nobody: string[] = [];
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
    identity,
    {
      changed: () => undefined,
      welcomed: () => undefined,
      message: () => undefined,
      nobody: (code) => nobody.push(code),
    },
  );
  const newest = (): Socket => sockets[sockets.length - 1] ?? new Socket();
  const open = async (): Promise<Socket> => {
    await vi.advanceTimersByTimeAsync(0);
    newest().onopen?.();
    return newest();
  };
  return { link, asked, nobody, stored, open };
}

const create = { t: "create_challenge", d: { time_control: { kind: "unlimited" } } } as const;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("who one is", () => {
  test("nobody says so and only watches; no guest is made for looking", async () => {
    const { link, open, asked } = scene(false);
    link.connect();
    expect((await open()).sent).toEqual([{ t: "hello", d: {} }]);
    expect(asked).toEqual([]);
  });

  test("a browser with a cookie says nothing, since welcome comes by itself", async () => {
    const { link, open, asked } = scene(true);
    link.connect();
    expect((await open()).sent).toEqual([]);
    expect(asked).toEqual(["GET /api/me"]);
  });

  test("one whom the server has forgotten is nobody again", async () => {
    const { link, open, stored } = scene(true, { "/api/me": [401, "no_identity"] });
    link.connect();
    expect((await open()).sent).toEqual([{ t: "hello", d: {} }]);
    expect(stored.size).toBe(0);
  });

  test("the first command makes a guest, connects, and is sent then", async () => {
    const { link, open, asked } = scene(false);
    link.command(create);
    const socket = await open();
    expect(asked).toEqual(["POST /api/guest"]);
    expect(socket.sent).toEqual([]);
    socket.welcome();
    expect(socket.sent.map((message) => message.t)).toEqual(["create_challenge"]);
  });

  test("when no guest can be made the command is forgotten, and the server's reason is said", async () => {
    for (const code of ["too_many_guests", "too_many_requests"]) {
      const { link, nobody } = scene(false, { "/api/guest": [429, code] });
      link.command(create);
      await vi.advanceTimersByTimeAsync(0);
      expect([nobody, link.state.outbox]).toEqual([[code], []]);
    }
  });
});
