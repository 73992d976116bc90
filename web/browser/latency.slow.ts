/** From the drop of a piece to its confirmation, with the durable journal: half of the moves take under 50 ms. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drag, plies, startGame } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

const GAMES = 4;
const P50_MS = 50;
const MOVES =
  "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6 d2d3 d7d6 a2a4 a7a6 h2h3 h7h6 b2b4 c5a7 c1e3 a7e3 f2e3 c8e6 b1d2 d6d5 e4d5 e6d5 c4d5 d8d5 d3d4 e5d4 e3d4 d5e6".split(
    " ",
  );

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

interface Watched {
  confirmed: Promise<number>;
  /** When a move last left the page, and when its `ok` came. */
  left: number;
  answered: number;
}

/** Notes when moves leave and when they are answered: what lies between is network, server and disk. */
async function tap(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const noted = window as unknown as Watched;
    const send = WebSocket.prototype.send;
    const tapped = new WeakSet<WebSocket>();
    WebSocket.prototype.send = function (data) {
      if (!tapped.has(this)) {
        tapped.add(this);
        this.addEventListener("message", (event) => {
          if (String(event.data).startsWith('{"t":"ok"')) noted.answered = performance.now();
        });
      }
      if (String(data).startsWith('{"t":"move"')) noted.left = performance.now();
      return send.call(this, data);
    };
  });
  await page.reload();
}

/** Has the page note how long it takes from the next release of the mouse until a further move is in the list and confirmed. */
async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    const before = document.querySelectorAll("button.ply").length;
    (window as unknown as Watched).confirmed = new Promise<number>((done) => {
      addEventListener(
        "pointerup",
        (event) => {
          const look = (): void => {
            const line = document.querySelector<HTMLElement>(".connection");
            if (document.querySelectorAll("button.ply").length <= before || line?.dataset.delivery !== "confirmed")
              return;
            observer.disconnect();
            done(performance.now() - event.timeStamp);
          };
          const observer = new MutationObserver(look);
          observer.observe(document.body, { subtree: true, childList: true, attributes: true });
        },
        { once: true, capture: true },
      );
    });
  });
}

test("drop to confirmed", async () => {
  const took: number[] = [];
  const away: number[] = [];
  for (let game = 0; game < GAMES; game += 1) {
    const { white, black } = await startGame(server, { minutes: "10" });
    for (const { page } of [white, black]) await tap(page);
    for (const [n, uci] of MOVES.entries()) {
      const { page } = n % 2 === 0 ? white : black;
      await plies(page, n);
      await watch(page);
      await drag(page, uci.slice(0, 2), uci.slice(2, 4));
      took.push(await page.evaluate(() => (window as unknown as Watched).confirmed));
      away.push(
        await page.evaluate(() => (window as unknown as Watched).answered - (window as unknown as Watched).left),
      );
    }
    await white.context.close();
    await black.context.close();
  }
  for (const times of [took, away]) times.sort((a, b) => a - b);
  const at = (share: number, times = took): number => times[Math.floor((times.length - 1) * share)] ?? 0;
  console.log(`command to answer: p50 ${at(0.5, away).toFixed(1)} ms, p90 ${at(0.9, away).toFixed(1)} ms`);
  console.log(
    `drop to confirmed: ${took.length} moves, p50 ${at(0.5).toFixed(1)} ms, p90 ${at(0.9).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms, most ${at(1).toFixed(1)} ms`,
  );
  expect(at(0.5)).toBeLessThan(P50_MS);
});
