/** Two pages and the server play for three minutes, and their clocks never lie a tenth of a second apart. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Color, pageClock, serverClock } from "./clocks";
import { type Terms, board, createGame, join, plies, type } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

/** A game that is long enough and quiet. */
const MOVES =
  "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3 d6 O-O O-O a4 a6 h3 h6 b4 Ba7 Be3 Bxe3 fxe3 Be6 Nbd2 d5 exd5 Bxd5 Bxd5 Qxd5 d4 exd4 exd4 Rad8 Qc2 Rfe8 Rae1 Rxe1 Rxe1 Ne7 c4 Qd7 Ne5 Qc8 Ndf3 Nf5 d5 c6 d6 Re8".split(
    " ",
  );
const LASTS_MS = Number(process.env.ZEITNOT_CLOCKS_MS ?? 180_000);
const ALLOWED_MS = 100;
/** A clock is written anew 20 times a second. */
const TICK_MS = 80;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** How long the n-th move takes: between 1.5 and 6.5 s, the same in every run. */
const thinks = (n: number): number => 1500 + ((n * 7919) % 5000);

async function compare(terms: Terms, late: number): Promise<void> {
  server.wire.late = late;
  const white = await server.person({ wired: true });
  const black = await server.person();
  const path = await createGame(white, { ...terms, color: "White" });
  await join(black, path);
  await board(white.page).waitFor();
  const requester = await server.person();
  await requester.page.goto(requester.url);
  const apart: number[] = [];
  const far: string[] = [];
  const look = async (turn: number): Promise<void> => {
    const server = await serverClock(requester.page, path.slice(1));
    if (server.running === null || server.falls === null) return;
    for (const [name, { page }] of [["White", white] as const, ["Black", black] as const]) {
      const shown = await pageClock(page, server.running);
      if (shown.falls === null) continue;
      const by = shown.falls - server.falls;
      apart.push(Math.abs(by));
      if (Math.abs(by) >= ALLOWED_MS) far.push(`turn ${turn}, ${name}'s page: ${by.toFixed(0)} ms`);
      const off = shown.written - shown.due;
      expect(off, `${shown.written} is written, ${shown.due} is due`).toBeGreaterThanOrEqual(-TICK_MS);
      expect(off, `${shown.written} is written, ${shown.due} is due`).toBeLessThanOrEqual(shown.grain + TICK_MS);
    }
    const rests: Color = server.running === "white" ? "black" : "white";
    for (const { page } of [white, black]) {
      const shown = await pageClock(page, rests);
      const off = shown.written - (rests === "white" ? server.white_ms : server.black_ms);
      if (!shown.isRunning)
        expect(off, "of a clock that rests").toSatisfy((ms: number) => ms >= 0 && ms <= shown.grain);
    }
  };
  const begun = Date.now();
  for (const [n, move] of MOVES.entries()) {
    if (Date.now() - begun > LASTS_MS) break;
    const until = Date.now() + (n < 2 ? 0 : thinks(n));
    while (Date.now() < until) {
      await look(n);
      await white.page.waitForTimeout(Math.min(700, Math.max(0, until - Date.now())));
    }
    await type((n % 2 === 0 ? white : black).page, move);
    for (const { page } of [white, black]) await plies(page, n + 1);
    // What the network will be forgiven in a side's first turns a page has to ask for: it takes a round trip.
    if (n < 4) await white.page.waitForTimeout(3 * late);
  }
  apart.sort((a, b) => a - b);
  const at = (share: number): string => (apart[Math.floor((apart.length - 1) * share)] ?? 0).toFixed(1);
  console.log(
    `clocks: ${apart.length} looks in ${Math.round((Date.now() - begun) / 1000)} s, network ${late} ms each way: apart p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms`,
  );
  expect(apart.length).toBeGreaterThan(LASTS_MS / 2000);
  expect(far).toEqual([]);
  expect([...white.errors, ...black.errors]).toEqual([]);
}

describe("three minutes", () => {
  test("with an increment", () => compare({ minutes: "3", seconds: "2" }, 0));
  test("with a simple delay, and White behind a slow network", () =>
    compare({ kind: "Delay", minutes: "3", seconds: "2" }, 120));
});
