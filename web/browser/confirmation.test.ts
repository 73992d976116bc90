/** Moves that are confirmed before they are sent, and promotions that are always to a queen, as the settings have them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { isClean } from "./axe";
import { announces, drag, having, pieceOn, playOut, plies, sees, square, startGame, type } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test("a move is drawn, and sent by the button or by Enter; Escape, the button and a tap take it back", async () => {
  const { white, black } = await startGame(server, {}, { white: having(server, { moveConfirmation: true }) });
  const { page } = white;
  const question = page.getByRole("group", { name: /^Play /u });
  for (const takeBack of [
    () => page.keyboard.press("Escape"),
    () => question.getByRole("button", { name: "Cancel" }).click(),
    () => square(page, "h5").click(),
  ]) {
    await drag(page, "e2", "e4");
    await question.waitFor();
    expect(await pieceOn(page, "e4")).toBe("wp");
    await takeBack();
    await question.waitFor({ state: "detached" });
    expect(await pieceOn(page, "e2")).toBe("wp");
  }
  expect(await page.locator("button.ply").count()).toBe(0);

  await drag(page, "e2", "e4");
  await announces(page, "Enter plays it");
  await isClean(page, "a move to confirm");
  await question.getByRole("button", { name: "Play" }).click();
  await sees(black.page, "e4", "wp");
  await type(black.page, "e5");
  await plies(page, 2);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await drag(page, "g1", "f3");
  await question.waitFor();
  await page.keyboard.press("Enter");
  await sees(black.page, "f3", "wn");
  // The line for typed moves keeps the keys for itself only while something stands in it.
  await type(black.page, "Nc6");
  await plies(page, 4);
  await page.getByRole("textbox", { name: "Type a move or a command" }).focus();
  await drag(page, "f1", "b5");
  await question.waitFor();
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "detached" });
  await drag(page, "f1", "c4");
  await question.waitFor();
  await page.keyboard.press("Enter");
  await sees(black.page, "c4", "wb");
  expect([...white.errors, ...black.errors]).toEqual([]);
});

test("on the board Enter moves, and Enter again confirms", { tags: "nightly" }, async () => {
  const { white, black } = await startGame(server, {}, { white: having(server, { moveConfirmation: true }) });
  const { page } = white;
  await square(page, "e2").focus();
  await page.keyboard.press("Enter");
  for (const key of ["ArrowUp", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  await page.getByRole("group", { name: /^Play /u }).waitFor();
  await page.keyboard.press("Enter");
  await sees(black.page, "e4", "wp");
});

test("a typed move and a premove are not asked about", { tags: "nightly" }, async () => {
  const { white, black } = await startGame(server, {}, { black: having(server, { moveConfirmation: true }) });
  await drag(black.page, "e7", "e5");
  await type(white.page, "e4");
  await sees(white.page, "e5", "bp");
  await type(white.page, "Nf3");
  await plies(black.page, 3);
  await type(black.page, "Nc6");
  await sees(white.page, "c6", "bn");
});

test("the clock runs on while a move waits, and a move that was not confirmed goes with the game", {
  tags: "nightly",
}, async () => {
  const match = await startGame(server, {}, { white: having(server, { moveConfirmation: true }) });
  const { white, black } = match;
  await playOut(match, ["a3", "a6"]);
  await drag(white.page, "e2", "e4");
  await white.page.getByRole("group", { name: /^Play /u }).waitFor();
  const clock = white.page.getByRole("timer", { name: "White's clock" });
  const before = await clock.innerText();
  await expect.poll(() => clock.innerText(), { timeout: 10_000 }).not.toBe(before);
  for (const text of ["resign", "resign"]) await type(black.page, text);
  await white.page.getByRole("group", { name: "The game is over" }).waitFor();
  expect(await pieceOn(white.page, "e2")).toBe("wp");
  expect(await white.page.getByRole("group", { name: /^Play /u }).count()).toBe(0);
});

test("always a queen: by drag and as a premove, and another piece by typing", async () => {
  const fen = "7k/P1P5/8/8/8/8/7p/K7 w - - 0 1";
  const queens = having(server, { autoQueen: true });
  const { white, black } = await startGame(server, { fen }, { white: queens, black: queens });
  await drag(black.page, "h2", "h1");
  await black.page.getByText("Premove h2–h1=Q").waitFor();
  await drag(white.page, "a7", "a8");
  await sees(black.page, "a8", "wq");
  expect(await white.page.getByRole("dialog").count()).toBe(0);
});
