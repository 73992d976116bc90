/** The keyboard in a game: arrows beside the line for moves, small letters, and a focus that is never lost. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { board, createGame, join, playOut, plies, startGame, type } from "./steps";
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
