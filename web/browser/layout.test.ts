/** The game page at every size of window and every zoom: the board is large enough, and nothing overlaps or is cut off. */
import type { CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chooseLanguage, playOut, startGame } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

const WINDOWS = [
  [320, 568],
  [360, 640],
  [360, 740],
  [390, 664],
  [412, 420],
  [412, 915],
  [568, 320],
  [667, 375],
  [740, 360],
  [852, 393],
  [915, 412],
  [768, 1024],
  [820, 1180],
  [1023, 768],
  [1024, 600],
  [1180, 820],
  [1366, 768],
  [1440, 900],
  [1920, 1080],
  [2560, 1440],
] as const;
const ZOOMS = [1, 1.25, 1.5, 2] as const;
const SHARE_OF_SHORTER_SIDE = 0.6;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** What is wrong with the layout of the page that is shown; runs in the browser. */
function faults(share: number): string[] {
  const found: string[] = [];
  const shown = (element: Element): boolean =>
    element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
  const grid = document.querySelector("[role=grid]")?.getBoundingClientRect() ?? new DOMRect();
  const shorter = Math.min(innerWidth, innerHeight);
  if (Math.min(grid.width, grid.height) < share * shorter - 1)
    found.push(`the board has ${Math.round(grid.width)} px of ${shorter}`);
  if (document.documentElement.scrollWidth > innerWidth) {
    const wide = [...document.querySelectorAll("body *")].filter(
      (one) => !one.closest("svg, .symbols") && shown(one) && one.getBoundingClientRect().right > innerWidth + 0.5,
    );
    found.push(
      `the page is ${document.documentElement.scrollWidth} px wide: ${wide.map((one) => one.className || one.tagName).join(", ")}`,
    );
  }
  if (grid.left < 0 || grid.right > innerWidth || grid.top < 0 || grid.bottom > innerHeight)
    found.push("the board is not whole on the screen");

  const blocks = [...document.querySelectorAll("header, .board-frame, .player, .side > *, .chat")].filter(shown);
  for (const [index, a] of blocks.entries()) {
    for (const b of blocks.slice(index + 1)) {
      // In a low window the lower player's line stays in sight while the rest scrolls below it.
      const isOver = a.matches(".player:last-child") && getComputedStyle(a).position === "sticky";
      if (isOver && b.matches(".side > *, .chat")) continue;
      const [one, two] = [a.getBoundingClientRect(), b.getBoundingClientRect()];
      const wide = Math.min(one.right, two.right) - Math.max(one.left, two.left);
      const high = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
      if (wide > 1 && high > 1)
        found.push(
          `${a.className || a.tagName} and ${b.className || b.tagName} overlap by ${Math.round(wide)}x${Math.round(high)}`,
        );
    }
  }

  const scrolls = /auto|scroll/u;
  for (const element of document.querySelectorAll("header *, main *")) {
    if (
      !shown(element) ||
      element.closest(".visually-hidden, svg, .board-frame, option, [aria-hidden=true]:not(.over)")
    )
      continue;
    const hasText = [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
    );
    if (!hasText || getComputedStyle(element).clipPath !== "none") continue;
    // A name ends with an ellipsis where it is too long: a guest's letters are random, and so is its width.
    if (element.closest(".name, .you")) continue;
    const range = document.createRange();
    range.selectNodeContents(element);
    const text = range.getBoundingClientRect();
    for (let box: Element | null = element; box && box !== document.body; box = box.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(box);
      if (scrolls.test(overflowX) || scrolls.test(overflowY)) break;
      const isTight = box === element && box.matches("button, .button, select");
      if (!isTight && overflowX === "visible" && overflowY === "visible") continue;
      const own = box.getBoundingClientRect();
      if (
        text.right > own.right + 1 ||
        text.left < own.left - 1 ||
        text.bottom > own.bottom + 1 ||
        text.top < own.top - 1
      ) {
        found.push(`"${element.textContent?.trim().slice(0, 30)}" is cut off by ${box.className || box.tagName}`);
        break;
      }
    }
  }
  return found;
}

async function resize(session: CDPSession, page: Page, width: number, height: number, zoom: number): Promise<void> {
  await session.send("Emulation.setDeviceMetricsOverride", {
    width: Math.floor(width / zoom),
    height: Math.floor(height / zoom),
    deviceScaleFactor: zoom,
    mobile: false,
  });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0))));
}

test("the board is large enough and everything is legible, at every size and zoom", async () => {
  const match = await startGame(server, { rules: "Casual" });
  // With captured pieces on both sides, and one side ahead.
  await playOut(match, ["e4", "d5", "exd5", "Qxd5", "Nc3", "Qxg2", "Bxg2"]);
  const { context, page } = match.white;
  const session = await context.newCDPSession(page);
  const wrong: string[] = [];
  for (const [language, chat, clocks] of [
    ["en", "open", "plain"],
    ["de", "shut", "large"],
    ["de", "open", "plain"],
  ] as const) {
    await chooseLanguage(page, language);
    await page.getByRole("button", { name: /^(Settings|Einstellungen)$/u }).click();
    await page.getByRole("checkbox", { name: /^(Large clocks|Große Uhren)$/u }).setChecked(clocks === "large");
    await page.keyboard.press("Escape");
    const toggle = page.locator(".chat-head button").last();
    if ((await toggle.getAttribute("aria-expanded")) !== String(chat === "open")) await toggle.click();
    for (const [width, height] of WINDOWS) {
      for (const zoom of ZOOMS) {
        await resize(session, page, width, height, zoom);
        const found = await page.evaluate(faults, SHARE_OF_SHORTER_SIDE);
        wrong.push(
          ...found.map(
            (fault) => `${width}x${height} at ${zoom * 100} %, ${language}, chat ${chat}, ${clocks} clocks: ${fault}`,
          ),
        );
      }
    }
    await resize(session, page, 1440, 900, 1);
  }
  expect(wrong).toEqual([]);
});
