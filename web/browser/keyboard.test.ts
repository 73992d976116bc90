/** The keyboard in a game: arrows beside the line for moves, small letters, and a focus that is never lost. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { board, createGame, join, leavesToBrowser, playOut, plies, startGame, type } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test("arrows step through the game from the empty line for moves, and move the cursor in a text", async () => {
  const match = await startGame(server);
  await playOut(match, ["e4", "e5"]);
  const { page } = match.white;
  const line = page.getByRole("textbox", { name: "Type a move or a command" });
  const current = () => page.locator("button.ply[aria-current]").innerText();
  await line.focus();
  await page.keyboard.press("ArrowLeft");
  await expect.poll(current).toContain("e4");
  await page.keyboard.press("ArrowRight");
  await expect.poll(current).toContain("e5");
  await line.fill("Nf");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type("x");
  expect(await line.inputValue()).toBe("Nxf");
  expect(await current()).toContain("e5");
  // Small letters will do where only one move can be meant.
  await type(page, "nf3");
  await plies(page, 3);
  await type(match.black.page, "nc6");
  await plies(page, 4);
});

test("with Alt an arrow is the browser's, wherever the focus is", async () => {
  const match = await startGame(server);
  await playOut(match, ["e4", "e5"]);
  const { page, url } = match.white;
  const current = page.locator("button.ply[aria-current]");
  for (const part of [board(page), current]) expect(await leavesToBrowser(part)).toBe(true);
  expect(await current.innerText()).toContain("e5");
  const other = await server.person();
  await other.page.goto(url);
  const tab = other.page.getByRole("tab", { selected: true });
  const name = await tab.innerText();
  expect(await leavesToBrowser(tab)).toBe(true);
  expect(await tab.innerText()).toBe(name);
});

test("arrows, Home and End choose a tab of the home page", async () => {
  const { page, url } = await server.person();
  await page.goto(url);
  await page.getByRole("tab", { selected: true }).focus();
  for (const [key, name] of [
    ["ArrowRight", "Custom game"],
    ["ArrowRight", "Quick pairing"],
    ["End", "Custom game"],
    ["Home", "Quick pairing"],
  ] as const) {
    await page.keyboard.press(key);
    const tab = page.getByRole("tab", { name, selected: true });
    await tab.waitFor();
    expect(await tab.evaluate((one) => one === document.activeElement), key).toBe(true);
  }
});

test("the focus is on the page when a game begins, not on nothing", async () => {
  const white = await server.person();
  const path = await createGame(white);
  await white.page.getByRole("button", { name: "Copy the link" }).focus();
  const black = await server.person();
  await join(black, path);
  for (const { page } of [white, black]) {
    await board(page).waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("content");
  }
});
