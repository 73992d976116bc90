/** An opponent who does not come back: the grace is counted down, then the game can be claimed. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { isClean } from "./axe";
import { ended, announces, playOut, startGame } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test("the win is claimed when the grace of a bullet game is over, and nothing has moved on a phone", async () => {
  const phone = { viewport: { width: 390, height: 664 } };
  const match = await startGame(server, { minutes: "1", seconds: "2" }, { white: phone });
  const { white, black } = match;
  await playOut(match, ["e4", "e5", "Nf3"]);
  const tops = () =>
    white.page
      .locator(".status, .actions button, .moves")
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top + scrollY)));
  const before = await tops();
  await black.page.close();
  await announces(white.page, "Black is away");
  await white.page.getByText(/You can claim the win or a draw in \d+ s/u).waitFor();
  const win = white.page.getByRole("button", { name: "Claim the win" });
  expect(await win.count()).toBe(0);
  await win.waitFor({ timeout: 40_000 });
  expect(await tops()).toEqual(before);
  const claims = white.page.getByRole("group", { name: "Your opponent is away." }).getByRole("button");
  const [one, two] = await claims.evaluateAll((all) => all.map((claim) => claim.getBoundingClientRect().top));
  expect(one, "one line").toBe(two);
  await isClean(white.page, "an absence to claim");
  await win.click();
  await ended(white.page, "You win");
});
