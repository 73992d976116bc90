/** The analysis in small windows: what stands near the board, and what opens there. Its tabs have a file of their own. */
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { analysed, atBoard, here, isInWindow, openTab, paste, tree } from "./analysisSteps";
import { covering } from "./covering";
import { board } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const PHONE = { viewport: { width: 390, height: 740 }, hasTouch: true, isMobile: true };

test("the list of what goes out opens within every window", { tags: "nightly" }, async () => {
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

test("the dialogs of another analysis are asked for below the board, and give the focus back", {
  tags: "nightly",
}, async () => {
  const { page } = await atBoard(server, PHONE);
  await openTab(page, "Position");
  for (const name of ["Set up a position", "Load a FEN or a PGN", "Play from here"]) {
    const button = page.getByRole("button", { name });
    await button.tap();
    await page.getByRole("dialog", { name }).waitFor();
    expect(await isInWindow(page, "dialog[open]"), name).toBe(true);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name }).waitFor({ state: "detached" });
    await expect.poll(() => button.evaluate((one) => one === document.activeElement)).toBe(true);
  }
});

const boxOf = async (one: Locator) => (await one.boundingBox()) ?? { x: 0, y: Number.NaN, width: 0, height: 0 };

test("what a mistake cost stands below the board, and nothing else moves for it", { tags: "nightly" }, async () => {
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
        .locator(".board-frame, .best-lines, .steps, .tabs, .tree, .chart")
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

test("a finger that stays on a move of a line shows the position after it, and adds nothing", {
  tags: "nightly",
}, async () => {
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

test("in one column without tabs a link low on the page brings the board into sight", { tags: "nightly" }, async () => {
  const page = await analysed(server);
  await page.setViewportSize({ width: 768, height: 1024 });
  await page.keyboard.press("Home");
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await page
    .getByRole("button", { name: /^Worst move/u })
    .and(page.locator(".cell-button"))
    .click();
  await expect.poll(() => isInWindow(page, ".board-column")).toBe(true);
  expect(await page.evaluate(() => scrollY), "with the header above it").toBe(0);
});

test("another analysis begins at the board, wherever the last one was left", { tags: "nightly" }, async () => {
  const { page } = await atBoard(server, PHONE);
  const atEnd = () => page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  const begins = async () => {
    await page.locator(".tab-panel").waitFor();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100))));
    expect(await page.evaluate(() => scrollY)).toBe(0);
  };
  await atEnd();
  await paste(page, "1. e4 e5 *");
  await tree(page).getByText("e5", { exact: true }).first().waitFor();
  await begins();
  await atEnd();
  await page.getByRole("link", { name: "Analysis", exact: true }).click();
  await page.locator(".explorer").waitFor();
  await begins();
});

test("the explorer of openings is in sight with a free board, right below the tabs, with the opening's name", async () => {
  const { page } = await atBoard(server, PHONE);
  for (const selector of [".board-column", ".explorer", ".tab-panel"])
    expect(await isInWindow(page, selector), selector).toBe(true);
  const [tabs, panel] = [await boxOf(page.locator(".tabs")), await boxOf(page.locator(".tab-panel"))];
  expect(panel.y - tabs.y - tabs.height, "right below the tabs").toBeLessThan(12);
  expect(panel.height, "the name, what a row is, and two of them").toBeGreaterThanOrEqual(36 + 20 + 2 * 36);
  await page.locator(".tab-panel .facts").getByText("Start position").waitFor();
});

test.each([
  ["a PGN", "1. e4 e5 2. Nf3 Nc6 *"],
  ["a FEN", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"],
])(
  "%s that is loaded says below the board that it is not evaluated, and what there is instead",
  { tags: "nightly" },
  async (_, text) => {
    const { page } = await atBoard(server, PHONE);
    await paste(page, text);
    const why = page.getByRole("region", { name: "Evaluation" });
    await why.getByText("Only games that are over are evaluated: a PGN needs a result.", { exact: false }).waitFor();
    for (const [width, height] of [
      [390, 740],
      [320, 568],
    ] as const) {
      await page.setViewportSize({ width, height });
      const at = `at ${width}x${height}`;
      for (const part of [".board-column", ".no-evaluation", ".steps", ".tabs"])
        expect(await isInWindow(page, part), `${part} ${at}`).toBe(true);
      const [grid, said] = [await boxOf(board(page)), await boxOf(why)];
      expect(said.y - grid.y - grid.height, `right below the nearer player ${at}`).toBeLessThan(50);
      expect(await why.getByText("Instead:", { exact: false }).count(), `the tabs say what there is ${at}`).toBe(0);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await why.getByText("Instead: Opening explorer · Can each side still mate?").waitFor();
  },
);

test("unfolded on a desk the explorer stays so over a lesson", { tags: "nightly" }, async () => {
  const page = await analysed(server);
  const explorer = page.getByText("Opening explorer", { exact: true });
  const isUnfolded = () => page.locator("details.explorer").evaluate((one) => (one as HTMLDetailsElement).open);
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(await isUnfolded()).toBe(false);
  await explorer.click();
  await expect.poll(isUnfolded).toBe(true);
  await expect.poll(() => isInWindow(page, ".explorer")).toBe(true);
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

test("four rows of moves are in the first screen, the chart is under a tab of its own there; the board is as large as ever", {
  tags: "nightly",
}, async () => {
  const { page } = await atBoard(server, PHONE);
  await paste(page, LONG);
  await tree(page).getByText("Rd8", { exact: true }).waitFor();
  await tree(page).getByText("Bc4", { exact: true }).click();
  for (const [width, height] of [
    [390, 740],
    [390, 844],
    [430, 932],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => window.scrollTo(0, 0));
    const at = `at ${width}x${height}`;
    await openTab(page, "Moves");
    const [moves, shown, grid] = await Promise.all([tree(page), here(page), board(page)].map(boxOf));
    expect(moves?.height, `four rows ${at}`).toBeGreaterThanOrEqual(4 * 32);
    expect(await isInWindow(page, ".tree"), at).toBe(true);
    const row = Math.floor(((shown?.y ?? 0) - (moves?.y ?? 0)) / 32);
    if (height === 740) expect(row, "the move shown has one row above it, and two below it").toBe(1);
    expect(grid?.width, `the board ${at}`).toBeGreaterThan(0.9 * width);
    await openTab(page, "Mistakes");
    expect(await isInWindow(page, ".chart"), at).toBe(true);
    expect((await boxOf(page.locator(".chart"))).height, `as high as a finger needs ${at}`).toBeGreaterThanOrEqual(44);
  }
});

test("in a low window too the move shown is in sight, wherever in the game it stands", {
  tags: "nightly",
}, async () => {
  const page = await analysed(server);
  for (const [width, height] of [
    [360, 640],
    [390, 664],
    [320, 568],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.locator(".tab-panel").waitFor();
    await page.evaluate(() => window.scrollTo(0, 0));
    for (const key of ["Home", "ArrowRight", "End"]) {
      await page.keyboard.press(key);
      if (key === "Home") continue;
      const { y, height: high } = await boxOf(here(page));
      expect(y + 0.75 * high, `after ${key} at ${width}x${height}`).toBeLessThanOrEqual(height);
    }
  }
});

const WINDOWS = [
  [320, 568],
  [360, 740],
  [667, 375],
  [1440, 900],
] as const;

test.each(covering(WINDOWS, [WINDOWS[0], WINDOWS[2]]))(
  "fits a window of %i by %i, in German too",
  { tags: "nightly" },
  async (width, height) => {
    const { page } = await server.person({ viewport: { width, height }, locale: "de-DE" });
    await page.goto(`${server.url}/analysis`);
    await page.getByText("Grundstellung").waitFor();
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(over, "it may be higher than the window, and is not wider").toBeLessThanOrEqual(0);
    const cut = await page.locator(".analysis button, .analysis p, .analysis summary").evaluateAll((all) =>
      all
        .filter((one) => one.scrollWidth > one.clientWidth + 1 && !one.closest(".visually-hidden"))
        // What is read out alone.
        .filter((one) => getComputedStyle(one).clipPath === "none")
        .map((one) => one.textContent),
    );
    expect(cut.filter(Boolean)).toEqual([]);
  },
);
