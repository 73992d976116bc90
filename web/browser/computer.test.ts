/** The home page's first buttons, and a game against the server's own opponent, with a rematch. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { isClean } from "./axe";
import type { Page } from "playwright-core";
import { board, chooseLanguage, ended, nameOneself, plies, resign, square, stopWaiting, type } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
let alone: TestServer;
beforeAll(async () => {
  server = await startTestServer({ computer: true });
  alone = await startTestServer();
});
afterAll(async () => {
  await server.close();
  await alone.close();
});

/** Waits until the board is seen from this side. */
async function sits(page: Page, side: "white" | "black"): Promise<void> {
  await board(page).waitFor();
  const below = async (): Promise<string> => {
    const [first, last] = [await square(page, "a1").boundingBox(), await square(page, "a8").boundingBox()];
    return first && last && first.y > last.y ? "white" : "black";
  };
  await expect.poll(below).toBe(side);
}

const SMALL = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

test("Play is the one button that stands out, and nobody is told that nobody else is here", async () => {
  const [{ page, url }, other] = [await server.person(), await server.person()];
  for (const one of [page, other.page]) {
    await one.goto(url);
    await one.getByRole("button", { name: "Play the computer" }).waitFor();
    await one.locator(".here").getByText("Nobody is waiting for a game right now").waitFor();
  }
  const primary = page.getByRole("region", { name: "Play now" }).locator(".primary");
  expect(await primary.allInnerTexts()).toEqual(["Play 5+3"]);
  await nameOneself(other.page, "Visitor");
  await page.locator(".here").getByText("1 other player here · nobody is waiting").waitFor();
  expect(await primary.allInnerTexts()).toEqual(["Play 5+3"]);
  // While a form is open its own button does, whose clocks stand where those of the pools do.
  const columns = (tiles: string) =>
    page.locator(tiles).evaluate((one) => getComputedStyle(one).gridTemplateColumns.split(" ").length);
  expect(await columns(".pool-tiles")).toBe(4);
  await page.getByRole("tab", { name: "Custom game" }).click();
  expect(await page.locator("main .primary").allInnerTexts()).toEqual(["Add to the open games"]);
  // That to play keeps a part of the colour. A friend has a button, too, so the form is for anybody.
  expect(await page.locator("#play.second").innerText()).toBe("Play 5+3");
  expect(await page.getByRole("radio", { name: "Anybody" }).isChecked()).toBe(true);
  expect(await columns(".tiles")).toBe(4);
});

test("on a small phone all three ways to play are above the fold, and large enough for a finger", {
  tags: "nightly",
}, async () => {
  const { page, url, errors } = await server.person(SMALL);
  const computer = page.getByRole("button", { name: "Play the computer" });
  await page.goto(url);
  await computer.waitFor();
  for (const name of ["Play 5+3", "Play a friend", "Play the computer"]) {
    const box = await page.getByRole("button", { name }).boundingBox();
    expect(box && box.y >= 0 && box.y + box.height <= 640 && box.height >= 44, name).toBe(true);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await computer.tap();
  await isClean(page, "the computer's dialog");
  for (const place of await page.locator("dialog :is(label, button)").all()) {
    const box = await place.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
  }
  // On its side and in a small window, too, the button that begins the game is in sight.
  for (const [width, height] of [
    [568, 320],
    [412, 420],
  ] as const) {
    await page.setViewportSize({ width, height });
    const begin = await page.getByRole("button", { name: "Begin" }).boundingBox();
    expect(begin && begin.y + begin.height <= height, `${width}x${height}`).toBe(true);
  }
  expect(errors).toEqual([]);
});

test("what is chosen has its frame whole: no cell beside it covers an edge", { tags: "nightly" }, async () => {
  for (const viewport of [SMALL.viewport, { width: 1440, height: 900 }, { width: 568, height: 320 }]) {
    const { page, url } = await server.person({ viewport });
    await page.goto(url);
    await page.getByRole("button", { name: "Play the computer" }).click();
    const cells = await page
      .locator("dialog .segments label > span")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
    expect(cells.length).toBeGreaterThan(10);
    for (const [n, one] of cells.entries())
      for (const other of cells.slice(n + 1)) {
        const isBeside = one.right <= other.left || one.bottom <= other.top || one.top >= other.bottom;
        expect(isBeside, `${n} at ${viewport.width} px`).toBe(true);
      }
  }
});

test("each level says how it plays, and nothing below it moves from one to the next", { tags: "nightly" }, async () => {
  const { page, url } = await server.person({ viewport: SMALL.viewport });
  await page.goto(url);
  await page.getByRole("button", { name: "Play the computer" }).click();
  const dialog = page.getByRole("dialog");
  const said = () => dialog.getByRole("status").innerText();
  const place = () => dialog.getByRole("group", { name: "Clock" }).boundingBox();
  await expect.poll(said).toMatch(/^Very easy · about \d+$/u);
  const before = await place();
  await dialog.getByRole("radio", { name: "8", exact: true }).check({ force: true });
  await expect.poll(said).toMatch(/^Strongest · about \d+$/u);
  expect(await place()).toEqual(before);
  // Under each number stands what it is called, in sight and whole.
  expect(await dialog.locator(".levels small").allInnerTexts()).toContain("Beginner");
  for (const language of ["es", "fr", "de", "en"]) {
    await page.keyboard.press("Escape");
    await chooseLanguage(page, language);
    await page.locator(".start > .big").last().click();
    await dialog.locator(".levels").waitFor();
    const wide = await dialog
      .locator(".levels span")
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent));
    expect(wide, language).toEqual([]);
  }
});

test("the dialog begins with what was chosen last, and a clock of one's own can be typed", {
  tags: "nightly",
}, async () => {
  const { page, url, errors } = await server.person({ viewport: SMALL.viewport });
  await page.goto(url);
  const open = () => page.getByRole("button", { name: "Play the computer" }).click();
  const dialog = page.getByRole("dialog");
  await open();
  // A beginner needs no clock.
  for (const name of ["2", "Unlimited"])
    expect(await dialog.getByRole("radio", { name, exact: true }).isChecked(), name).toBe(true);
  expect(await dialog.getByRole("checkbox", { name: /^Takebacks allowed/u }).isChecked()).toBe(true);
  await dialog.getByRole("radio", { name: "4", exact: true }).check({ force: true });
  await dialog.getByRole("radio", { name: "Other" }).check({ force: true });
  await dialog.getByLabel("Minutes").fill("7");
  await dialog.getByRole("radio", { name: "Black" }).check({ force: true });
  await isClean(page, "the computer's dialog with another clock");
  await dialog.getByRole("button", { name: "Begin" }).click();
  await sits(page, "black");
  await page.getByText("7+5").first().waitFor();
  await page.goto(url);
  await open();
  for (const name of ["4", "Other", "Black"])
    expect(await dialog.getByRole("radio", { name, exact: true }).isChecked(), name).toBe(true);
  expect(await dialog.getByLabel("Minutes").inputValue()).toBe("7");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(errors).toEqual([]);
});

test("without a chat board and moves stand in the middle of a wide window", { tags: "nightly" }, async () => {
  const { page, url } = await server.person({ viewport: { width: 1440, height: 900 } });
  await page.goto(url);
  await page.getByRole("button", { name: "Play the computer" }).click();
  await page.getByRole("button", { name: "Begin" }).click();
  const [board, side] = await Promise.all([".board-frame", ".side"].map((part) => page.locator(part).boundingBox()));
  const right = 1440 - ((side?.x ?? 0) + (side?.width ?? 0));
  expect(Math.abs((board?.x ?? 0) - right)).toBeLessThan(16);
});

test("a game against the computer, and a rematch with the other colour", async () => {
  const { page, url, errors } = await server.person();
  await page.goto(url);
  await page.getByRole("button", { name: "Play the computer" }).click();
  await page.getByRole("radio", { name: "1", exact: true }).check({ force: true });
  await page.getByRole("radio", { name: "5+3" }).check({ force: true });
  await page.getByRole("radio", { name: "White" }).check({ force: true });
  await page.getByRole("button", { name: "Begin" }).click();
  await board(page).waitFor();
  const path = new URL(page.url()).pathname;
  await page.getByText("Computer-1").first().waitFor();
  // It would read nothing.
  expect(await page.getByRole("heading", { name: "Chat" }).count()).toBe(0);
  await sits(page, "white");
  const thinks = page.locator(".status").getByText("Computer-1 is thinking …").waitFor();
  await type(page, "e4");
  await thinks;
  await plies(page, 2);
  await page.getByRole("button", { name: "Take back" }).click();
  await plies(page, 0);
  await type(page, "d4");
  await plies(page, 2);
  await resign(page);
  await ended(page, /resigned$/u);
  await page.getByRole("button", { name: "Rematch" }).click();
  await expect.poll(() => new URL(page.url()).pathname, { timeout: 5000 }).not.toBe(path);
  await sits(page, "black");
  await plies(page, 1);
  // Another game begins in the same dialog, with the level of this one.
  await resign(page);
  await ended(page, /resigned$/u);
  await page.locator(".status.result").getByRole("link", { name: "Your mistakes" }).waitFor();
  // The weakest level has none that is easier, and whoever has lost is not offered a harder one alone.
  expect(await page.locator(".other-levels button").count()).toBe(0);
  const second = new URL(page.url()).pathname;
  await page.getByRole("button", { name: "New game" }).click();
  expect(await page.getByRole("radio", { name: "1", exact: true }).isChecked()).toBe(true);
  await page.getByRole("radio", { name: "2", exact: true }).check({ force: true });
  await page.getByRole("button", { name: "Begin" }).click();
  await expect.poll(() => new URL(page.url()).pathname, { timeout: 5000 }).not.toBe(second);
  await board(page).waitFor();
  const third = new URL(page.url()).pathname;
  await type(page, "e4");
  await plies(page, 2);
  await resign(page);
  await ended(page, /resigned$/u);
  await page.getByRole("button", { name: "Easier: level 1" }).click();
  await expect.poll(() => new URL(page.url()).pathname, { timeout: 5000 }).not.toBe(third);
  await page.locator(".player").getByText("Computer-1").waitFor();
  // Only the level is another one.
  await sits(page, "white");
  expect(errors).toEqual([]);
});

test("a game without a clock is shown to others once they see a move in it, as it may have been left long ago", {
  tags: "nightly",
}, async () => {
  const [{ page, url }, other] = [await server.person(), await server.person()];
  await page.goto(url);
  await nameOneself(page, "Leaves_It");
  await page.getByRole("button", { name: "Play the computer" }).click();
  await page.getByRole("radio", { name: "White" }).check({ force: true });
  await page.getByRole("button", { name: "Begin" }).click();
  await board(page).waitFor();
  await type(page, "e4");
  await plies(page, 2);
  await other.page.goto(url);
  await other.page.locator(".featured :is(.replay, .live-card)").first().waitFor();
  const shown = other.page.locator(".live-card").getByText("Leaves_It");
  expect(await shown.count()).toBe(0);
  await type(page, "d4");
  await shown.first().waitFor();
});

test("on a phone the moves stay where they were when a game against the computer ends, and the other levels stand below", {
  tags: "nightly",
}, async () => {
  const { page, url, errors } = await server.person({ ...SMALL, viewport: { width: 390, height: 740 } });
  await page.goto(url);
  await page.getByRole("button", { name: "Play the computer" }).click();
  await page.getByRole("radio", { name: "2", exact: true }).check({ force: true });
  await page.getByRole("radio", { name: "White" }).check({ force: true });
  await page.getByRole("button", { name: "Begin" }).click();
  await board(page).waitFor();
  await type(page, "e4");
  await plies(page, 2);
  const moves = async () => Math.round((await page.locator(".moves").boundingBox())?.y ?? 0);
  const during = await moves();
  await resign(page);
  await page.getByRole("link", { name: "Your mistakes" }).waitFor();
  expect(Math.abs((await moves()) - during)).toBeLessThanOrEqual(1);
  // After a loss the easier one comes first.
  const levels = page.locator(".other-levels button");
  expect(await levels.allInnerTexts()).toEqual(["Easier: level 1", "Harder: level 3"]);
  const boxes = await levels.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
  for (const { height, bottom } of boxes) {
    expect(height).toBeGreaterThanOrEqual(44);
    expect(bottom).toBeLessThanOrEqual(740);
  }
  // The ways on have one line each in every language.
  const ways = page.locator(".status.result :is(.rematch, .after) > :is(button, .button)");
  for (const language of ["en", "de", "fr", "es"]) {
    await chooseLanguage(page, language);
    for (const width of [320, 360, 390]) {
      await page.setViewportSize({ width, height: 740 });
      const lines = await ways.evaluateAll((all) =>
        all.map((one) => {
          const words = document.createRange();
          words.selectNodeContents(one);
          return new Set([...words.getClientRects()].map(({ top }) => Math.round(top))).size;
        }),
      );
      expect(lines, `${language} ${width}`).toEqual([1, 1, 1]);
    }
  }
  expect(errors).toEqual([]);
});

test("a game against the computer begins from a position of the analysis", { tags: "nightly" }, async () => {
  const { page, url, errors } = await server.person();
  const fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
  await page.goto(new URL(`/analysis?fen=${encodeURIComponent(fen)}`, url).href);
  await page.getByRole("button", { name: "Play from here" }).click();
  await page.getByRole("dialog", { name: "Play from here" }).getByRole("button", { name: "Play the computer" }).click();
  await page.getByRole("radio", { name: "White" }).check({ force: true });
  await page.getByRole("button", { name: "Begin" }).click();
  await sits(page, "white");
  await type(page, "Rh7");
  await plies(page, 2);
  expect(errors).toEqual([]);
});

test("a server without a computer does not offer it; Play means the time control played last", async () => {
  const { page, url, errors } = await alone.person();
  const asked = page.waitForResponse((response) => response.url().includes("/api/users/status"));
  await page.goto(url);
  expect(await (await asked).json()).toEqual([]);
  await page.getByRole("button", { name: /^3\+2 Blitz/u }).click();
  await page.getByText("Waiting for an opponent: 3+2").waitFor();
  await stopWaiting(page);
  await page.reload();
  await page.getByRole("button", { name: "Play 3+2" }).click();
  await page.getByText("Waiting for an opponent: 3+2").waitFor();
  expect(await page.getByRole("button", { name: "Play the computer" }).count()).toBe(0);
  expect(errors).toEqual([]);
});
