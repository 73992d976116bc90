/** The game page at every size of window and every zoom: the board is large enough, and nothing overlaps or is cut off. */
import type { CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clippedTexts } from "./clippedTexts";
import { covering } from "./covering";
import { chooseLanguage, drawn, playOut, resign, startGame, type } from "./steps";
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
  [1280, 800],
  [1366, 657],
  [1366, 768],
  [1440, 900],
  [1920, 1080],
  [2560, 1440],
] as const;
const ZOOMS = covering([1, 1.25, 1.5, 2], [1, 2]);
/** Language, chat and clocks. */
const STATES = covering<readonly ["en" | "de", "open" | "shut", "plain" | "large"]>(
  [
    ["en", "open", "plain"],
    ["de", "shut", "large"],
    ["de", "open", "plain"],
  ],
  [["de", "open", "plain"]],
);
const SHARE_OF_SHORTER_SIDE = 0.6;
/** For all layouts on a machine that is busy with other things. */
const PATIENCE_MS = 300_000;

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
  if (grid.left < 0 || grid.right > innerWidth || grid.top < 0 || grid.bottom > innerHeight)
    found.push("the board is not whole on the screen");
  const names = document.querySelector(".coordinates");
  const letters =
    names && shown(names) ? Number.parseFloat(getComputedStyle(names).fontSize) : Number.POSITIVE_INFINITY;
  if (letters < Math.max(9.5, 0.02 * grid.width)) found.push(`the names of squares have ${letters} px`);
  for (const clock of document.querySelectorAll(".clock")) {
    const isStuck = getComputedStyle(clock.closest(".player") as Element).position === "sticky";
    const { bottom } = clock.getBoundingClientRect();
    if (isStuck && innerHeight >= 320 && bottom > innerHeight - 4) found.push("a clock touches the edge of the window");
  }

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
  return found;
}

async function resize(session: CDPSession, page: Page, width: number, height: number, zoom: number): Promise<void> {
  await session.send("Emulation.setDeviceMetricsOverride", {
    width: Math.floor(width / zoom),
    height: Math.floor(height / zoom),
    deviceScaleFactor: zoom,
    mobile: false,
  });
  await drawn(page);
}

test("the board is large enough and everything is legible, at every size and zoom", {
  timeout: PATIENCE_MS,
}, async () => {
  // With more pieces of some kind on both sides, and one side ahead.
  const fen = "1nbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQk - 0 2";
  const match = await startGame(server, { profile: "casual", fen });
  await playOut(match, ["exd5", "Qxd5"]);
  const { context, page } = match.white;
  const session = await context.newCDPSession(page);
  const wrong: string[] = [];
  for (const [language, chat, clocks] of STATES) {
    await chooseLanguage(page, language);
    await page.getByRole("button", { name: /^(Settings|Einstellungen)$/u }).click();
    await page.getByRole("checkbox", { name: /^(Large clocks|Große Uhren)$/u }).setChecked(clocks === "large");
    await page.keyboard.press("Escape");
    const toggle = page.locator(".chat-head button").last();
    if ((await toggle.getAttribute("aria-expanded")) !== String(chat === "open")) await toggle.click();
    for (const [width, height] of WINDOWS) {
      for (const zoom of ZOOMS) {
        await resize(session, page, width, height, zoom);
        const found = [...(await page.evaluate(faults, SHARE_OF_SHORTER_SIDE)), ...(await page.evaluate(clippedTexts))];
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

test("in a low window the board takes the height that there is, with the moves of a few turns beside it", {
  tags: "nightly",
}, async () => {
  const match = await startGame(server);
  await playOut(match, ["e4", "e5", "Nf3", "Nc6"]);
  const { page } = match.white;
  for (const [width, height] of [
    [960, 600],
    [1024, 600],
    [1366, 657],
  ] as const) {
    await page.setViewportSize({ width, height });
    const [board, list] = [await page.locator(".board").boundingBox(), await page.locator(".moves ol").boundingBox()];
    expect(board?.height, `board in ${width}x${height}`).toBeGreaterThanOrEqual(height - 60);
    expect(list?.height, `moves in ${width}x${height}`).toBeGreaterThanOrEqual(90);
  }
});

test("the moves are in sight on a phone of which its browser takes a part", { tags: "nightly" }, async () => {
  const { white } = await startGame(server);
  for (const [width, height] of [
    [360, 640],
    [390, 664],
    [412, 732],
  ] as const) {
    await white.page.setViewportSize({ width, height });
    await white.page.evaluate(() => scrollTo(0, 0));
    const box = await white.page.locator(".moves").boundingBox();
    expect((box?.y ?? height) + (box?.height ?? 0), `${width}x${height}`).toBeLessThanOrEqual(height);
  }
});

test("what one plays with is in sight and not cut off, in French too", { tags: "nightly" }, async () => {
  const match = await startGame(server, { profile: "casual" });
  await playOut(match, ["e4", "e5"]);
  const { page } = match.black;
  await chooseLanguage(page, "fr");
  for (const [width, height, what] of [
    [320, 568, ".status"],
    [360, 640, ".actions button:first-child"],
    [390, 664, ".actions button:first-child"],
    [360, 740, ".actions button"],
    [667, 375, ".actions button"],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => scrollTo(0, 0));
    const [lowest, end] = await page.evaluate((selector) => {
      const player = document.querySelector(".player:last-child") as Element;
      const isOver = getComputedStyle(player).position === "sticky";
      const bottoms = [...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect().bottom);
      return [Math.max(...bottoms), isOver ? player.getBoundingClientRect().top : innerHeight];
    }, what);
    expect(lowest, `${what} in ${width}x${height}`).toBeLessThanOrEqual(Number(end));
  }
});

test("what is said above the moves takes one line beside the board, in German with spectators too", {
  tags: "nightly",
}, async () => {
  const { white, black, path } = await startGame(server, { profile: "casual" });
  const { page } = white;
  await page.setViewportSize({ width: 1280, height: 800 });
  await chooseLanguage(page, "de");
  const top = async () => (await page.locator(".moves").boundingBox())?.y;
  const before = await top();
  const third = await server.person();
  await third.page.goto(third.url + path);
  await page.getByText("1 Zuschauer").waitFor();
  await resign(black.page);
  await page.locator(".status.result").waitFor();
  expect(await top()).toBe(before);
  const place = (await page.getByText("1 Zuschauer").boundingBox()) ?? { x: 1280, width: 0 };
  expect(place.x + place.width).toBeLessThanOrEqual(1280);
});

test("a name of twelve letters is whole on a phone, beside an offer and a score too", { tags: "nightly" }, async () => {
  const { white, black } = await startGame(server, {}, { white: { viewport: { width: 360, height: 740 } } });
  const { page } = white;
  await playOut({ white, black, path: "" }, ["e4", "d5", "exd5", "Qxd5"]);
  await type(black.page, "draw");
  await page.locator(".status.offer").waitFor();
  const height = async () => (await page.locator(".status").boundingBox())?.height;
  const cut = () =>
    page.locator(".player .player-link").evaluateAll((all) => {
      // Guests have shorter names.
      for (const one of all) one.textContent = "Maximiliane1";
      return all.map((one) => one.scrollWidth - one.clientWidth);
    });
  expect(await cut()).toEqual([0, 0]);
  const clocks = await page.locator(".player .clock").evaluateAll((all) => all.map((one) => one.clientWidth));
  for (const wide of clocks) expect(wide).toBeLessThanOrEqual(110);
  const offered = await height();
  await page.getByRole("button", { name: "Decline" }).click();
  await page.locator(".status.offer").waitFor({ state: "detached" });
  expect(await height()).toBe(offered);
});
