/** The tabs of the analysis on a phone that is held upright: what is under each, and what keeps its place. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isClean } from "./axe";
import { analysed, atBoard, evaluationChart, here, isInWindow, openTab, paste, tab, tree } from "./analysisSteps";
import { clippedTexts } from "./clippedTexts";
import { board, chooseLanguage, drawn, leavesToBrowser, sees, touch } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const PHONE = { viewport: { width: 390, height: 740 }, hasTouch: true, isMobile: true };
const SIZES = [
  [390, 740],
  [360, 640],
  [320, 568],
] as const;

/** What stands above the panel, and the panel itself. */
const placed = (page: Page) =>
  page
    .locator(".board-frame, .evaluation, .steps, .tabs, .tab-panel")
    .evaluateAll((all) => all.map((one) => JSON.stringify(one.getBoundingClientRect())));
const chosen = (page: Page) => page.getByRole("tab", { selected: true }).innerText();

/** In how many lines the name of a tab stands. */
function linesOf(button: Element): number {
  const range = document.createRange();
  range.selectNodeContents([...button.childNodes].at(-1) ?? button);
  return range.getClientRects().length;
}

test("every tab is in the first screen with the board, and nothing but the panel changes with it", async () => {
  const page = await analysed(server);
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => window.scrollTo(0, 0));
    const at = `at ${width}x${height}`;
    for (const part of [".board-column", ".evaluation", ".steps", ".tabs"])
      await expect.poll(() => isInWindow(page, part), { message: `${part} ${at}` }).toBe(true);
    await openTab(page, "Moves");
    const before = await placed(page);
    for (const name of ["Explorer", "Mistakes", "Position", "Moves"]) {
      const box = await tab(page, name).boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0), `${name} ${at}`).toBeGreaterThanOrEqual(44);
      await openTab(page, name);
      expect(await placed(page), `with ${name} ${at}`).toEqual(before);
      expect(await page.evaluate(() => scrollY), `with ${name} ${at}`).toBe(0);
      await isClean(page, `the tab ${name} ${at}`);
    }
  }
});

test("scrolled to its end the page still shows the whole board, and all of the panel", {
  tags: "nightly",
}, async () => {
  const page = await analysed(server);
  for (const [width, height] of [...SIZES, [390, 664], [375, 553]] as const) {
    await page.setViewportSize({ width, height });
    await page.locator(".tab-panel").waitFor();
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    for (const part of [".board-frame", ".tab-panel"])
      expect(await isInWindow(page, part), `${part} at ${width}x${height}`).toBe(true);
  }
});

test("what one looks for in an analysis is under its tab, and open at once", async () => {
  const page = await analysed(server);
  await page.setViewportSize({ width: 390, height: 740 });
  expect(await chosen(page), "beside a game").toBe("Moves");
  await openTab(page, "Explorer");
  await page.locator("section.explorer .explored").waitFor();
  expect(await page.locator("details.explorer").count(), "nothing to unfold").toBe(0);
  await openTab(page, "Mistakes");
  const learn = page.getByRole("button", { name: /^Learn from your mistakes/u });
  await learn.waitFor();
  await evaluationChart(page).waitFor();
  expect(await isInWindow(page, ".chart"), "the chart with the board").toBe(true);
  await page.locator(".mistake-table").waitFor();
  await openTab(page, "Position");
  for (const name of ["Set up a position", "Load a FEN or a PGN", "New analysis", "Play from here"]) {
    const button = page.getByRole("button", { name });
    const [box, panel] = [await button.boundingBox(), await page.locator(".tab-panel").boundingBox()];
    if (!box || !panel) throw new Error("both are on the page");
    expect(box.y + box.height, `${name} in sight`).toBeLessThanOrEqual(panel.y + panel.height + 1);
    expect(box.height, name).toBeGreaterThanOrEqual(44);
  }
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("button", { name: "Copy PGN" }).waitFor();
  expect(await page.getByRole("button", { name: "Set up a position" }).count(), "not in the menu too").toBe(1);
});

test("a lesson begins under its tab, and leads back there", { tags: "nightly" }, async () => {
  const page = await analysed(server);
  await page.setViewportSize({ width: 390, height: 740 });
  await openTab(page, "Mistakes");
  const learn = page.getByRole("button", { name: /^Learn from your mistakes/u });
  await learn.click();
  await page.getByRole("region", { name: "Learn from mistakes" }).waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => learn.evaluate((one) => one === document.activeElement)).toBe(true);
  // It had the focus once: the next time the tab keeps it.
  await tab(page, "Mistakes").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowLeft");
  await learn.waitFor();
  expect(await tab(page, "Mistakes").evaluate((one) => one === document.activeElement)).toBe(true);
});

test("by keyboard: arrows, Home and End choose a tab, and step through no move; with Alt they are the browser's", async () => {
  const page = await analysed(server);
  await page.keyboard.press("End");
  await page.setViewportSize({ width: 390, height: 740 });
  const shown = await here(page).innerText();
  await tab(page, "Moves").focus();
  for (const [key, name] of [
    ["ArrowRight", "Explorer"],
    ["ArrowRight", "Mistakes"],
    ["ArrowLeft", "Explorer"],
    ["End", "Position"],
    ["ArrowRight", "Moves"],
    ["ArrowLeft", "Position"],
    ["Home", "Moves"],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => chosen(page), { message: key }).toBe(name);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(name);
    const panel = page.getByRole("tabpanel", { name });
    await panel.waitFor();
    expect(await tab(page, name).getAttribute("aria-controls")).toBe(await panel.getAttribute("id"));
  }
  // With a modifier an arrow is the browser's.
  for (const one of [tab(page, "Moves"), here(page), board(page)])
    expect(await leavesToBrowser(one), "Alt and an arrow").toBe(true);
  expect(await chosen(page), "with a modifier").toBe("Moves");
  expect(await here(page).innerText(), "the move shown").toBe(shown);
  expect(await page.locator('.tabs [tabindex="0"]').count(), "one stop of the Tab key").toBe(1);
});

test("the open tab stays while one steps, plays, reloads and comes to another board, and a game that is loaded begins with its moves", {
  tags: "nightly",
}, async () => {
  const { page, url } = await atBoard(server, PHONE);
  expect(await chosen(page), "without a game").toBe("Explorer");
  expect(await page.getByRole("tab").allInnerTexts(), "no mistakes without a game").toEqual([
    "Moves",
    "Explorer",
    "Position",
  ]);
  await tab(page, "Position").tap();
  await touch(page, "e2", "e4");
  await sees(page, "e4", "wp");
  await page.locator(".steps button").nth(1).tap();
  await sees(page, "e2", "wp");
  expect(await chosen(page), "after a move and a step").toBe("Position");
  await page.reload();
  await expect.poll(() => chosen(page), { message: "after a reload" }).toBe("Position");
  await page.goto(`${url}/analysis?fen=${encodeURIComponent("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")}`);
  await sees(page, "d1", "wr");
  expect(await chosen(page), "at another board").toBe("Position");
  await paste(page, "1. e4 e5 *");
  await tree(page).getByRole("button", { name: "e5", exact: true }).waitFor();
  expect(await chosen(page), "of a game that is loaded").toBe("Moves");
  await paste(page, "8/8/8/8/8/5k2/7q/5K2 w - - 0 1");
  await sees(page, "h2", "bq");
  expect(await chosen(page), "of a position, where it was loaded").toBe("Position");
});

test("a keyboard that takes half of the window takes nothing of what one types", { tags: "nightly" }, async () => {
  const page = await analysed(server);
  await page.setViewportSize({ width: 390, height: 740 });
  const line = page.getByRole("textbox", { name: "Type a move" });
  await line.fill("Nf");
  await page.setViewportSize({ width: 390, height: 410 });
  await drawn(page);
  expect(await line.inputValue()).toBe("Nf");
  expect(await line.evaluate((one) => one === document.activeElement)).toBe(true);
  await page.setViewportSize({ width: 390, height: 740 });
  expect(await line.inputValue()).toBe("Nf");
});

test("a press low in the panel that shows a position moves nothing", { tags: "nightly" }, async () => {
  const page = await analysed(server);
  await page.setViewportSize({ width: 360, height: 640 });
  await page.keyboard.press("Home");
  await page.locator(".tab-panel").waitFor();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  const before = [await placed(page), await page.evaluate(() => scrollY)];
  await page
    .getByRole("button", { name: /^Worst move/u })
    .and(page.locator(".cell-button"))
    .click();
  await expect.poll(() => here(page).innerText()).toMatch(/f3|g4/u);
  expect([await placed(page), await page.evaluate(() => scrollY)]).toEqual(before);
});

test("the names of the tabs fit the narrowest phone in every language", { tags: "nightly" }, async () => {
  const page = await analysed(server);
  for (const language of ["de", "fr", "es", "en"]) {
    await chooseLanguage(page, language);
    await page.setViewportSize({ width: 320, height: 568 });
    await expect.poll(() => page.getByRole("tab").count(), { message: language }).toBe(4);
    for (const one of await page.getByRole("tab").all()) {
      await one.click();
      const name = `${language}: ${await one.innerText()}`;
      expect(await one.evaluate((button) => button.scrollWidth <= button.clientWidth), name).toBe(true);
      expect(await one.evaluate(linesOf), `lines of ${name}`).toBe(1);
      expect(await page.evaluate(clippedTexts), name).toEqual([]);
    }
  }
});
