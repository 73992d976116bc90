/** Finding a player by name on the home page, and among those whom one challenges. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { isClean } from "./axe";
import { ended, nameOneself, playOut, setUpChallenge, startGame } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test("the last opponents who are suggested before anything is typed have a mark while they are here", {
  tags: "nightly",
}, async () => {
  const match = await startGame(server);
  const { white } = match;
  await playOut(match, ["f3", "e5", "g4", "Qh4"]);
  await ended(white.page, "Checkmate");
  await white.page.goto(white.url);
  await white.page.getByRole("region", { name: "Your last games" }).getByText("Lost").waitFor();
  await white.page.getByRole("combobox", { name: "Find a player" }).focus();
  await white.page.getByRole("option").locator(".presence.here").waitFor();
});

test("a player is found by the beginning of the name, by keys and by the pointer", async () => {
  const sought = await server.person();
  await sought.page.goto(sought.url);
  await nameOneself(sought.page, "Nimzowitsch");
  await sought.page.getByRole("button", { name: "Nimzowitsch, guest: menu" }).waitFor();
  const { page, url, errors } = await server.person();
  await page.goto(url);
  const field = page.getByRole("combobox", { name: "Find a player" });
  const place = await page.getByRole("button", { name: "Search" }).boundingBox();
  await field.fill("nim");
  const found = page.getByRole("option", { name: /Nimzowitsch/u });
  await found.waitFor();
  await isClean(page, "suggested players");
  expect(await page.getByRole("button", { name: "Search" }).boundingBox()).toEqual(place);
  // Nothing of the list is below the window, to a pixel: a page scrolls by whole ones.
  const desk = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 640 });
  await field.fill("");
  await field.fill("nim");
  await found.waitFor();
  const list = await page.getByRole("listbox").boundingBox();
  expect(list && list.y + list.height).toBeLessThan(641);
  if (desk) await page.setViewportSize(desk);
  // On a busy machine the page learns of its window later, and puts the field elsewhere.
  await expect.poll(() => page.getByRole("button", { name: "Search" }).boundingBox()).toEqual(place);
  await field.fill("");
  await field.fill("nim");
  await found.waitFor();
  await field.press("ArrowDown");
  expect(await found.getAttribute("aria-selected")).toBe("true");
  await field.press("Enter");
  await page.getByRole("heading", { name: "Nimzowitsch" }).waitFor();
  await page.goBack();
  await field.fill("Xerx");
  await page.getByText("Nobody has a name that begins with “Xerx”.").waitFor();
  await field.press("Escape");
  expect(await page.getByText("Nobody has a name that begins with “Xerx”.").count()).toBe(0);
  await field.fill("Nimz");
  await found.click();
  await page.getByRole("heading", { name: "Nimzowitsch" }).waitFor();
  // To challenge somebody too.
  await page.goBack();
  await setUpChallenge(page);
  const name = page.getByRole("combobox", { name: "Name of the player" });
  await name.fill("nimz");
  await found.click();
  expect(await name.inputValue()).toBe("Nimzowitsch");
  await page.getByRole("button", { name: "Send the challenge" }).click();
  await page.getByText("Only Nimzowitsch can accept").waitFor();
  await page.getByText("If Nimzowitsch accepts while you are away").waitFor();
  expect(errors).toEqual([]);
});
