/** An opponent who does not come back: the grace is counted down, then the game can be claimed. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { isClean } from "./axe";
import { ended, hears, playOut, sitDown } from "./hands";
import { type House, openHouse } from "./house";

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

test("the win is claimed when the grace of a bullet game is over", async () => {
  const table = await sitDown(house, { minutes: "1", seconds: "2" });
  const { white, black } = table;
  await playOut(table, ["e4", "e5", "Nf3"]);
  await black.page.close();
  await hears(white.page, "Black is away");
  await white.page.getByText(/You can claim the game in \d+ s/u).waitFor();
  const win = white.page.getByRole("button", { name: "Claim the win" });
  expect(await win.count()).toBe(0);
  await win.waitFor({ timeout: 40_000 });
  await isClean(white.page, "an absence to claim");
  await win.click();
  await ended(white.page, "You win");
});
