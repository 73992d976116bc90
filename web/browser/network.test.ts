/** A lost network: what the page says meanwhile, and that nothing is lost or doubled when it is back. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isClean } from "./axe";
import { type Color, pageClock, serverClock } from "./clocks";
import { board, createGame, drag, ended, join, pieceOn, playOut, plies, sees, startGame, type } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test("without a network the page says so, comes back, and the move is played once", async () => {
  const white = await server.person({ wired: true });
  const black = await server.person();
  const third = await server.person({ wired: true });
  const path = await createGame(white, { color: "White" });
  await join(black, path);
  await board(white.page).waitFor();
  await third.page.goto(third.url + path);
  const match = { white, black, path };
  await playOut(match, ["e4", "e5"]);
  const line = white.page.locator(".connection");
  await expect.poll(() => line.getAttribute("data-phase")).toBe("open");
  await expect.poll(() => line.getAttribute("data-delivery")).toBe("confirmed");

  server.wire.cut();
  await drag(white.page, "g1", "f3");
  // Shown where it was put, and not called saved.
  expect(await pieceOn(white.page, "f3")).toBe("wn");
  await line.getByText("Sending …").waitFor({ state: "attached" });
  await expect.poll(() => line.getAttribute("data-phase"), { timeout: 5000 }).toBe("slow");
  await line.getByText("Connection lost. Reconnecting …").waitFor();
  await line.getByText("Not saved yet").waitFor();
  expect(await white.page.locator(".player .presence").count(), "nobody knows who is here").toBe(0);
  await white.page.getByText("Your move is on its way").waitFor();
  await isClean(white.page, "reconnecting");
  expect(await black.page.locator("button.ply").count()).toBe(2);

  server.wire.mend();
  await sees(black.page, "f3", "wn").catch(() => sees(black.page, "f3", "wn"));
  await expect.poll(() => line.getAttribute("data-delivery"), { timeout: 10_000 }).toBe("confirmed");
  await line.getByText("Connected").waitFor();
  await plies(white.page, 3);
  await type(black.page, "Nc6");
  for (const { page } of [white, third]) await sees(page, "c6", "bn");
  await plies(third.page, 4);
  expect([...black.errors]).toEqual([]);
});

test("whoever goes to another address in the same tab is away at once, and here again after coming back", async () => {
  const match = await startGame(server);
  const { white, black } = match;
  await playOut(match, ["e4"]);
  const presence = (word: string) => white.page.getByRole("region", { name: "Black" }).getByText(word);
  await black.page.goto("about:blank");
  await presence("away").waitFor();
  await black.page.goBack();
  await board(black.page).waitFor();
  await presence("online").waitFor({ state: "attached" });
  await type(black.page, "e5");
  await plies(white.page, 2);
  expect([...white.errors, ...black.errors]).toEqual([]);
});

test("the server is killed in the middle: the game is there again, and goes on to its end", async () => {
  const match = await startGame(server);
  const { white, black } = match;
  const third = await server.person();
  await third.page.goto(third.url + match.path);
  await playOut(match, ["f3", "e5"]);
  await server.crash();
  for (const { page } of [white, black, third])
    await expect.poll(() => page.locator(".connection").getAttribute("data-phase"), { timeout: 15_000 }).toBe("open");
  await playOut(match, ["g4", "Qh4"], 2);
  for (const { page } of [white, black, third]) await ended(page, "Checkmate");
  await plies(third.page, 4);
});

// How far apart they are at the worst is measured by clocks.slow.ts. Here one good look is enough: a clock that is wrong
// is wrong in all of them. A look counts by as much as the answer of the server says: one that may itself be wrong by half
// of what is allowed is taken again.
const APART_MS = 500;

/** The page's only thread does nothing else for so long. */
function busy(page: Page, ms: number): Promise<void> {
  return page.evaluate((lasts) => {
    for (const until = performance.now() + lasts; performance.now() < until; );
  }, ms);
}

test(`two clocks and the server's agree within ${APART_MS} ms`, async () => {
  const white = await server.person();
  const black = await server.person();
  const path = await createGame(white, { color: "White", minutes: "3", seconds: "2" });
  await join(black, path);
  await board(white.page).waitFor();
  await playOut({ white, black, path }, ["e4", "e5", "Nf3"]);
  // A third connection asks the server for its clocks.
  const requester = await server.person();
  await requester.page.goto(requester.url);
  const apart = async (running: Color): Promise<number> => {
    const [own, theirs, said] = await Promise.all([
      pageClock(white.page, running),
      pageClock(black.page, running),
      serverClock(requester.page, path.slice(1)),
    ]);
    if (said.within > APART_MS / 2) return Infinity;
    const falls = [own, theirs, said].map((clock) => Number(clock.falls));
    return Math.max(...falls) - Math.min(...falls);
  };
  await black.page.waitForTimeout(700);
  await expect.poll(() => apart("black"), { timeout: 90_000 }).toBeLessThan(APART_MS);
  // A page that is busy when a move comes takes it for younger than it is, until it has asked.
  await Promise.all([busy(white.page, 2000), type(black.page, "Nc6")]);
  await plies(white.page, 4);
  await expect.poll(() => apart("white"), { timeout: 90_000 }).toBeLessThan(APART_MS);
});
