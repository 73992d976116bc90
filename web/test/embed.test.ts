/** A game in a frame on another site: it watches as nobody, follows the game, and says when there is none. */
import { describe, expect, test } from "vitest";
import type { ServerMessage } from "#protocol";
import { type Watched, watch } from "../src/embed/watching";
import { GAME, move, snapshot } from "./scene";

/** A socket that a test speaks through, and what was sent. */
class Wire {
  readyState = 1;
  readonly sent: string[] = [];
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: never) => void) | null = null;
  onclose: ((event: never) => void) | null = null;
  onerror: ((event: never) => void) | null = null;
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.readyState = 3;
  }
  say(message: ServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) } as never);
  }
}

async function watching() {
  const wire = new Wire();
  const told: Watched[] = [];
  const world = { open: () => wire, now: () => 0, url: "ws://test/ws", commandId: () => "1" };
  watch(GAME, world, (watched) => told.push(watched));
  await Promise.resolve();
  wire.onopen?.({} as never);
  const welcome = { account: null, boot: "B00000000000", epoch: "E00000000000", limits: {} } as never;
  wire.say({ t: "welcome", d: welcome });
  return { wire, last: () => told.at(-1) };
}

describe("a game in a frame", () => {
  test("nobody says hello, watches and sends no command", async () => {
    const { wire, last } = await watching();
    const sent = wire.sent.map((text) => JSON.parse(text) as { t: string; d: object });
    expect(sent.filter(({ t }) => t !== "ping")).toEqual([
      { t: "hello", d: {} },
      { t: "watch", d: { game: GAME } },
    ]);
    expect(last()?.state).toBe("open");
    wire.say({ t: "snapshot", d: snapshot() });
    expect(last()?.game?.id).toBe(GAME);
  });

  test("a running clock is measured when the connection proves alive", async () => {
    const { wire } = await watching();
    for (const message of [{ t: "snapshot", d: snapshot() } as const, move(1), move(2)]) wire.say(message);
    wire.say({ t: "pong", d: { n: 1, at: 0, ms: 0 } });
    expect(JSON.parse(wire.sent.at(-1) ?? "")).toEqual({ t: "watch", d: { game: GAME, after: 3, id: "watch" } });
  });

  test("a game that does not exist is said to be none, for good", async () => {
    const { wire, last } = await watching();
    wire.say({ t: "rejected", d: { code: "unknown_game" } } as never);
    expect(last()?.state).toBe("unknown");
    expect(wire.readyState).toBe(3);
  });
});
