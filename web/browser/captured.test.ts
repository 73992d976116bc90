/** What each player has captured, and who is ahead: shown beside the players, said to screen readers. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { isClean } from "./axe";
import { playOut, startGame } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test("what was captured stands beside the players, and is said", async () => {
  const match = await startGame(server);
  await playOut(match, ["e4", "d5", "exd5", "Qxd5", "Nc3", "Qxg2", "Bxg2"]);
  const { page } = match.black;
  const by = (side: string) => page.getByRole("region", { name: side, exact: true }).locator(".captured");
  expect(await by("White").innerText()).toContain("Has captured a queen, a pawn. Ahead by 8.");
  expect(await by("White").locator("use").count()).toBe(2);
  expect(await by("Black").innerText()).toContain("Has captured 2 pawns.");
  expect(await by("Black").innerText()).not.toContain("Ahead");
  await isClean(page, "captured pieces");
  // Looking back, it is what had been captured then.
  await page.getByRole("button", { name: "First position" }).click();
  await expect.poll(() => by("White").count()).toBe(0);
});
