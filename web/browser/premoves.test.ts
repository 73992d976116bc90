/** Premoves as the settings have them: none, one, or several in a row; and the ways to cancel them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { isClean } from "./axe";
import {
  announces,
  click,
  drag,
  having,
  offerDraw,
  pieceOn,
  playOut,
  plies,
  rightClick,
  sees,
  square,
  startGame,
  type,
} from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test("one that was typed is told while it is set, and what was answered to typing goes with the next move", {
  tags: "nightly",
}, async () => {
  const { white, black } = await startGame(server);
  const { page } = black;
  const answer = page.locator(".typed .answer");
  await type(page, "Ke4");
  await expect.poll(() => answer.innerText()).toBe("“Ke4” is not a move or command here.");
  await type(page, "e5");
  await announces(page, "Premove e7–e5");
  await page.locator(".status").getByText("Premove e7–e5").waitFor();
  expect(await answer.innerText()).toBe("");
  await type(page, "status");
  await expect.poll(() => answer.innerText()).toBe("Their move");
  await type(white.page, "a3");
  await sees(white.page, "e5", "bp");
  await expect.poll(() => answer.innerText()).toBe("");
  expect(await page.getByText("Premove e7–e5").count()).toBe(0);
});

test("several are drawn ahead with their numbers, and played one after the other", async () => {
  const { white, black } = await startGame(server, {}, { black: having(server, { premoves: "several" }) });
  const { page } = black;
  await drag(page, "e7", "e5");
  await page.getByText("Premove e7–e5").waitFor();
  await drag(page, "b8", "c6");
  await drag(page, "c6", "d4");
  await page.getByText("Premoves e7–e5, Nb8–c6, Nc6–d4").waitFor();
  expect([await pieceOn(page, "e5"), await pieceOn(page, "d4"), await pieceOn(page, "c6")]).toEqual(["bp", "bn", ""]);
  expect(await square(page, "d4").locator(".premove-number").innerText()).toBe("3");
  expect(await square(page, "d4").getAttribute("aria-label")).toBe("d4, black knight, premove 3");
  await isClean(page, "several premoves");
  await type(white.page, "a3");
  await sees(white.page, "e5", "bp");
  expect(await pieceOn(page, "d4")).toBe("bn");
  await type(white.page, "b3");
  await sees(white.page, "c6", "bn");
  await type(white.page, "c3");
  await sees(white.page, "d4", "bn");
  await plies(page, 6);
  expect(await page.locator(".cell.premove").count()).toBe(0);
  expect([...white.errors, ...black.errors]).toEqual([]);
});

test("one that became illegal drops those after it, and the board is as it is", async () => {
  const { white, black } = await startGame(server, {}, { black: having(server, { premoves: "several" }) });
  const { page } = black;
  await drag(page, "e7", "e5");
  await drag(page, "e5", "d4");
  await drag(page, "d4", "c3");
  await page.getByText("Premoves e7–e5, e5–d4, d4–c3").waitFor();
  await type(white.page, "e4");
  await sees(white.page, "e5", "bp");
  await type(white.page, "a3");
  const status = page.locator(".side > .status");
  await status.getByText("Your turn").waitFor();
  await status.getByText("Premove e5–d4 was not possible").waitFor();
  await announces(page, "White: a3. Premove e5–d4 was not possible");
  expect(await pieceOn(page, "e5")).toBe("bp");
  expect(await page.locator(".cell.premove").count()).toBe(0);
  await plies(page, 3);
  await type(page, "a6");
  await status.getByText("Their move").waitFor();
  expect(await status.getByText("was not possible").count()).toBe(0);
});

test("a right click and the button cancel all of them; a right click draws only when there are none", async () => {
  const { black } = await startGame(server, {}, { black: having(server, { premoves: "several" }) });
  const { page } = black;
  const marked = page.locator(".cell.premove");
  for (const cancel of [
    () => rightClick(page, "e4"),
    () => page.getByRole("button", { name: "Cancel the premoves" }).click(),
  ]) {
    await drag(page, "e7", "e5");
    await drag(page, "d7", "d5");
    await expect.poll(() => marked.count()).toBe(4);
    await cancel();
    await expect.poll(() => marked.count()).toBe(0);
    expect(await pieceOn(page, "e7")).toBe("bp");
    expect(await page.locator(".drawings").count()).toBe(0);
  }
  await rightClick(page, "e4");
  await expect.poll(() => page.locator(".drawings .circle").count()).toBe(1);
});

test("Escape, or a second tap on the piece where it leads, takes back the last one alone", {
  tags: "nightly",
}, async () => {
  const { white, black } = await startGame(server, {}, { black: having(server, { premoves: "several" }) });
  const { page } = black;
  const status = page.locator(".side > .status");
  await drag(page, "e7", "e5");
  await drag(page, "d7", "d5");
  await drag(page, "c7", "c5");
  await status.getByText("Premoves e7–e5, d7–d5, c7–c5").waitFor();
  await page.keyboard.press("Escape");
  await status.getByText("Premoves e7–e5, d7–d5", { exact: true }).waitFor();
  expect(await pieceOn(page, "c7")).toBe("bp");
  await click(page, "d5", "d5");
  await status.getByText("Premove e7–e5", { exact: true }).waitFor();
  expect(await page.locator(".cell.selected").count()).toBe(0);
  // The one that is left is played.
  await type(white.page, "a3");
  await sees(white.page, "e5", "bp");
  expect(await pieceOn(white.page, "d7")).toBe("bp");
});

test("a tap on a square that a premove leaves or passes takes nothing away, and what takes one away says so", async () => {
  const { black } = await startGame(server, {}, { black: having(server, { premoves: "several" }) });
  const { page } = black;
  const status = page.locator(".side > .status");
  await drag(page, "e7", "e5");
  await drag(page, "d8", "h4");
  for (const name of ["e7", "e6", "d8", "f6"]) await click(page, name);
  await status.getByText("Premoves e7–e5, Qd8–h4", { exact: true }).waitFor();
  await click(page, "h4", "h4");
  await announces(page, "Premove cancelled");
  await status.getByText("Premove e7–e5", { exact: true }).waitFor();
  const before = await status.boundingBox();
  await click(page, "e5", "e5");
  await status.getByText("Their move").waitFor();
  await status.getByText("Premove cancelled").waitFor();
  expect(await status.boundingBox(), "nothing moves").toEqual(before);
  await isClean(page, "a cancelled premove");
  // Beside the time for the first move there is no room for it on the smallest phone.
  for (const [width, height] of [
    [390, 740],
    [320, 568],
  ] as const) {
    await page.setViewportSize({ width, height });
    await drag(page, "e7", "e5");
    await status.getByText("Premove e7–e5", { exact: true }).waitFor();
    const set = await status.boundingBox();
    await page.keyboard.press("Escape");
    await status.getByText("Their move").waitFor();
    expect(await status.boundingBox(), `at ${width}`).toEqual(set);
  }
});

test("where one is kept, a piece that is picked up takes nothing away before it has moved", {
  tags: "nightly",
}, async () => {
  const { white, black } = await startGame(server, {}, { black: having(server, { premoves: "one" }) });
  const { page } = black;
  await drag(page, "e7", "e5");
  await click(page, "d7", "h4");
  await click(page, "g8");
  expect(await page.locator(".cell.premove").count()).toBe(2);
  await type(white.page, "a3");
  await sees(white.page, "e5", "bp");
  expect(await page.locator(".cell.selected").count(), "it was meant for that turn").toBe(0);
});

test("where one is kept, that another one replaces it is said in that turn, with a way to several", {
  tags: "nightly",
}, async () => {
  const phone = { viewport: { width: 320, height: 640 }, hasTouch: true, locale: "de-DE" };
  const { white, black } = await startGame(server, {}, { black: { ...phone, ...having(server, { premoves: "one" }) } });
  const { page } = black;
  const status = page.locator(".side > .status");
  await drag(page, "e7", "e5");
  await status.getByText("Vorauszug e7–e5").waitFor();
  const before = await status.boundingBox();
  await drag(page, "d7", "d5");
  await status.getByText("Es gilt nur d7–d5.").waitFor();
  expect(await status.boundingBox(), "nothing moves, and nothing is covered").toEqual(before);
  for (const name of ["Mehrere erlauben", "Vorauszug aufheben"]) {
    const button = await status.getByRole("button", { name }).boundingBox();
    expect(button?.height, name).toBeGreaterThanOrEqual(40);
    expect((button?.x ?? 320) + (button?.width ?? 0), name).toBeLessThanOrEqual(
      (before?.x ?? 0) + (before?.width ?? 0),
    );
  }
  await isClean(page, "one premove is kept");
  // The next turn says nothing of it.
  await type(white.page, "a3");
  await sees(white.page, "d5", "bp");
  await drag(page, "e7", "e5");
  await status.getByText("Vorauszug e7–e5").waitFor();
});

test("a draw that is declined is told beside a premove", { tags: "nightly" }, async () => {
  const match = await startGame(server, {}, { white: having(server, { premoves: "one" }) });
  const { white, black } = match;
  await playOut(match, ["e4", "e5", "Nf3"]);
  await offerDraw(white.page);
  await drag(white.page, "f1", "c4");
  await black.page.getByRole("button", { name: "Decline", disabled: false }).click();
  const status = white.page.locator(".side > .status");
  await status.getByText("Draw declined · again from move 12").waitFor();
  await status.getByText("Premove Bf1–c4").waitFor();
});

test("where one is kept, to continue it from where it leads keeps it, and says so", { tags: "nightly" }, async () => {
  const { white, black } = await startGame(server, {}, { black: having(server, { premoves: "one" }) });
  const { page } = black;
  const told = page.locator(".side > .status").getByText("Only e7–e5 is kept.");
  await drag(page, "e7", "e5");
  await page.getByText("Premove e7–e5").waitFor();
  await drag(page, "e5", "e4");
  await told.waitFor();
  expect(await page.locator(".cell.premove").count()).toBe(2);
  await page.getByRole("button", { name: "Cancel the premove" }).click();
  await expect.poll(() => page.locator(".cell.premove").count()).toBe(0);
  await drag(page, "d7", "d5");
  await click(page, "d5", "d5");
  await page.locator(".side > .status").getByText("Only d7–d5 is kept.").waitFor();
  await type(white.page, "a3");
  await sees(white.page, "d5", "bp");
});

test("where one is kept, one press keeps several from then on", { tags: "nightly" }, async () => {
  const { black } = await startGame(server, {}, { black: having(server, { premoves: "one" }) });
  const { page } = black;
  await drag(page, "e7", "e5");
  await drag(page, "d7", "d5");
  await page.getByText("Only d7–d5 is kept.").first().waitFor();
  const several = page.getByRole("button", { name: "Allow several" });
  const lines = await several.evaluate((button) => {
    const range = document.createRange();
    range.selectNodeContents(button);
    return range.getClientRects().length;
  });
  expect(lines, "in one line").toBe(1);
  await several.click();
  // The one that was given up is back.
  await page.getByText("Premoves e7–e5, d7–d5").waitFor();
  await drag(page, "c7", "c5");
  await page.getByText("Premoves e7–e5, d7–d5, c7–c5").waitFor();
  expect(await page.getByRole("button", { name: "Allow several" }).count()).toBe(0);
});

test("with none, nothing can be picked up in the opponent's turn", async () => {
  const { white, black } = await startGame(server, {}, { black: having(server, { premoves: "none" }) });
  await drag(black.page, "e7", "e5");
  expect(await black.page.locator(".cell.premove, .cell.selected").count()).toBe(0);
  await type(white.page, "e4");
  await sees(black.page, "e4", "wp");
  await drag(black.page, "e7", "e5");
  await sees(white.page, "e5", "bp");
});
