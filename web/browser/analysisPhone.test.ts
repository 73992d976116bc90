/** The analysis on a phone: what stands near the board, and what opens there. */
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { analysed, atBoard, here, paste, tree } from "./analysisSteps";
import { board } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const PHONE = { viewport: { width: 390, height: 740 }, hasTouch: true, isMobile: true };

/** Whether all of what a selector finds is within the window. */
const isInWindow = (page: Page, selector: string) =>
  page.locator(selector).evaluate((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    return Math.min(left, top) > -1 && right < clientWidth + 1 && bottom < clientHeight + 1;
  });

test("the list of what goes out opens within every window", async () => {
  const { page } = await atBoard(server, PHONE);
  const share = page.getByRole("button", { name: "More", exact: true });
  for (const [width, height] of [
    [390, 740],
    [320, 568],
    [568, 320],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => window.scrollTo(0, 0));
    await share.click();
    await page.getByRole("button", { name: "Copy PGN" }).waitFor();
    expect(await isInWindow(page, ".steps .menu-items"), `at ${width}x${height}`).toBe(true);
    await page.keyboard.press("Escape");
  }
});

test("what stands low on the page is asked for below the board of a phone too, which stays in sight", async () => {
  const { page } = await atBoard(server, PHONE);
  const more = page.getByRole("button", { name: "More", exact: true });
  for (const [entry, dialog] of [
    ["Set up a position", "Set up a position"],
    ["Load a FEN or a PGN", "Load a FEN or a PGN"],
    ["Play from here", "Play from here"],
  ] as const) {
    await more.tap();
    const list = page.locator(".steps .menu-items");
    const [sheet, grid] = [await boxOf(list), await boxOf(board(page))];
    expect(sheet.y, "the sheet is below the board").toBeGreaterThanOrEqual(grid.y + grid.height);
    await list.getByRole("button", { name: entry }).tap();
    await page.getByRole("dialog", { name: dialog }).waitFor();
    expect(await isInWindow(page, "dialog[open]"), dialog).toBe(true);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: dialog }).waitFor({ state: "detached" });
    await expect.poll(() => more.evaluate((one) => one === document.activeElement)).toBe(true);
  }
});

const boxOf = async (one: Locator) => (await one.boundingBox()) ?? { x: 0, y: Number.NaN, width: 0, height: 0 };

test("what a mistake cost stands below the board, and nothing else moves for it", async () => {
  const page = await analysed(server);
  await page.keyboard.press("End");
  await page.getByRole("button", { name: "best was a3" }).waitFor();
  for (const [width, height] of [
    [390, 740],
    [390, 664],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    const at = `at ${width}x${height}`;
    await page.evaluate(() => window.scrollTo(0, 0));
    const elsewhere = () =>
      page
        .locator(".board-frame, .best-lines, .steps, .tree-room, .chart")
        .evaluateAll((all) => all.map((one) => [one.className, Math.round(one.getBoundingClientRect().top)]));
    const marked = await elsewhere();
    // In a low window it shares the room of the line, which keeps its place.
    const where = width === 390 ? ".mistake-note" : ".lines-foot";
    const [grid, said] = [await boxOf(board(page)), await boxOf(page.locator(where))];
    expect(said.y - grid.y - grid.height, `below the nearer player ${at}`).toBeLessThan(50);
    expect(await isInWindow(page, where), at).toBe(true);
    expect(await isInWindow(page, ".best-lines"), `the line ${at}`).toBe(true);
    const texts = await page.locator(".mistake-note, .move-now [aria-hidden]").allInnerTexts();
    expect(texts.filter((words) => words.includes("best was a3")).length, `said once ${at}`).toBe(1);
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => here(page).innerText()).toContain("e5");
    expect(await elsewhere(), at).toEqual(marked);
    await page.keyboard.press("ArrowRight");
  }
});

test("a finger that stays on a move of a line shows the position after it, and adds nothing", async () => {
  const page = await analysed(server);
  await page.setViewportSize({ width: 390, height: 740 });
  await page.keyboard.press("Home");
  const move = page.locator(".line-moves > span").first();
  await move.waitFor();
  const touch = { pointerType: "touch", bubbles: true };
  await move.dispatchEvent("pointerdown", touch);
  await page.locator(".line-preview").waitFor();
  expect(await isInWindow(page, ".line-preview")).toBe(true);
  await move.dispatchEvent("pointerup", touch);
  await move.dispatchEvent("click", { detail: 1 });
  await page.locator(".line-preview").waitFor({ state: "detached" });
  expect(await here(page).count(), "still the first position").toBe(0);
  await move.click();
  await expect.poll(() => here(page).innerText()).toContain("a3");
});

test("a link low on the page brings the board into sight", async () => {
  const page = await analysed(server);
  await page.setViewportSize({ width: 390, height: 740 });
  await page.keyboard.press("Home");
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await page
    .getByRole("button", { name: /^Worst move/u })
    .and(page.locator(".cell-button"))
    .click();
  await expect.poll(() => isInWindow(page, ".board-column")).toBe(true);
  expect(await page.evaluate(() => scrollY), "with the header above it").toBe(0);
});

test("another analysis begins at the board, wherever the last one was left", async () => {
  const { page } = await atBoard(server, PHONE);
  const atEnd = () => page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  const begins = async () => {
    await expect.poll(() => page.locator(".explorer").isVisible()).toBe(true);
    // What is unfolded from the start has been so for a moment.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100))));
    expect(await page.evaluate(() => scrollY)).toBe(0);
  };
  await atEnd();
  await paste(page, "1. e4 e5 *");
  await tree(page).getByText("e5", { exact: true }).first().waitFor();
  await begins();
  await atEnd();
  await page.getByRole("link", { name: "Analysis", exact: true }).click();
  await tree(page).getByText("Play a move on the board").waitFor();
  await begins();
});

test("the explorer of openings is in sight with the board, right below the moves", async () => {
  const { page } = await atBoard(server, PHONE);
  for (const selector of [".board-column", ".explored"]) expect(await isInWindow(page, selector), selector).toBe(true);
  const [moves, explored] = [await boxOf(tree(page)), await boxOf(page.locator(".explored"))];
  expect(explored.y - moves.y - moves.height, "right below the moves").toBeLessThan(12);
  expect(explored.height, "four rows and what they are").toBeGreaterThanOrEqual(4 * 36 + 20);
});

test.each([
  ["a PGN", "1. e4 e5 2. Nf3 Nc6 *"],
  ["a FEN", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"],
])("%s that is loaded says below the board that it is not evaluated, and what there is instead", async (_, text) => {
  const { page } = await atBoard(server, PHONE);
  await paste(page, text);
  const why = page.getByRole("region", { name: "Evaluation" });
  await why.getByText("Instead: Opening explorer · Can each side still mate?").waitFor();
  await why.getByText("Only games that are over are evaluated: a PGN needs a result.", { exact: false }).waitFor();
  for (const [width, height] of [
    [390, 740],
    [320, 568],
  ] as const) {
    await page.setViewportSize({ width, height });
    const at = `at ${width}x${height}`;
    for (const part of [".board-column", ".no-evaluation", ".steps"])
      expect(await isInWindow(page, part), `${part} ${at}`).toBe(true);
    const [grid, said] = [await boxOf(board(page)), await boxOf(why)];
    expect(said.y - grid.y - grid.height, `right below the nearer player ${at}`).toBeLessThan(50);
  }
});

test("unfolded beside a game the explorer comes above the moves, cuts nothing, and stays so over a lesson", async () => {
  const page = await analysed(server);
  const explorer = page.getByText("Opening explorer", { exact: true });
  const isUnfolded = () => page.locator("details.explorer").evaluate((one) => (one as HTMLDetailsElement).open);
  expect(await isUnfolded()).toBe(false);
  await page.setViewportSize({ width: 390, height: 740 });
  const listed = (await boxOf(tree(page))).height;
  await explorer.click();
  await expect.poll(() => isInWindow(page, ".board-column")).toBe(true);
  expect(await page.evaluate(() => scrollY), "with the header above the board").toBe(0);
  const [buttons, moves] = [await boxOf(page.locator(".steps")), await boxOf(tree(page))];
  const [unfolded, explored] = [await boxOf(page.locator(".explorer")), await boxOf(page.locator(".explored"))];
  expect(unfolded.y - buttons.y - buttons.height, "right below the buttons").toBeLessThan(12);
  expect(740 - explored.y, "what a row is, and two of them").toBeGreaterThanOrEqual(20 + 2 * 36);
  expect(moves.y - unfolded.y - unfolded.height, "right above the moves").toBeLessThan(12);
  expect(moves.height, "which keep their rows").toBe(listed);
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(await isInWindow(page, ".explorer"), "on a desk").toBe(true);
  await page.getByRole("button", { name: /^Learn from your mistakes/u }).click();
  await page.getByRole("region", { name: "Learn from mistakes" }).waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".explored").waitFor();
  expect(await isUnfolded()).toBe(true);
});

/** The moves of a long game, each with an evaluation. */
const LONG = "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8"
  .split(" ")
  .map((san, at) => `${at % 2 === 0 ? `${at / 2 + 1}. ` : ""}${san} {[%eval 0.${at % 10}]}`)
  .join(" ");

test("the chart is in the first screen, right below the moves, which keep three rows; the board is as large as ever", async () => {
  const { page } = await atBoard(server, PHONE);
  await paste(page, LONG);
  await tree(page).getByText("Rd8", { exact: true }).waitFor();
  for (const [width, height] of [
    [390, 740],
    [390, 844],
    [430, 932],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => window.scrollTo(0, 0));
    const at = `at ${width}x${height}`;
    expect(await isInWindow(page, ".chart"), at).toBe(true);
    const [moves, chart, grid] = await Promise.all([tree(page), page.locator(".chart"), board(page)].map(boxOf));
    expect((chart?.y ?? 0) - (moves?.y ?? 0) - (moves?.height ?? 0), `right below ${at}`).toBeLessThan(12);
    expect(chart?.height, `as high as a finger needs ${at}`).toBeGreaterThanOrEqual(44);
    expect(moves?.height, `three rows of moves ${at}`).toBeGreaterThanOrEqual(3 * 35.2);
    expect(grid?.width, `the board ${at}`).toBeGreaterThan(0.9 * width);
  }
});

test("the counts of mistakes stand right below the chart, and nothing is left free below the line to type", async () => {
  const page = await analysed(server);
  await page.setViewportSize({ width: 390, height: 740 });
  const gap = async (above: Locator, below: Locator) => {
    const [one, next] = [await boxOf(above), await boxOf(below)];
    return next.y - one.y - one.height;
  };
  expect(await gap(page.locator(".chart"), page.locator(".mistakes"))).toBeLessThan(12);
  expect(await gap(page.getByRole("textbox", { name: "Type a move" }), page.locator("details.explorer"))).toBeLessThan(
    12,
  );
});
