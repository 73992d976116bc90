/** Zen: eyes see only board, clocks and what is needed to play; screen reader and keyboard keep everything. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { isClean } from "./axe";
import { board, drag, ended, sees, startGame, square, resign } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const ASIDE = [
  ".brand",
  ".you",
  ".details",
  ".moves",
  ".typed",
  ".share",
  ".game > .chat",
  ".connection",
  ".who >> nth=0",
];

/** The parts beside the game that eyes see. */
async function seen(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const part of ASIDE) {
    const box = await page.locator(part).first().boundingBox();
    if (box && box.width > 1 && box.height > 1) found.push(part);
  }
  return found;
}

const zen = (page: Page) => page.locator("html").getAttribute("data-zen");

test("z hides what is not needed to play, from eyes alone; one plays on, on a phone too", async () => {
  const { white, black } = await startGame(server);
  const { page } = white;
  await square(page, "e2").focus();
  await page.keyboard.press("z");
  await expect.poll(() => seen(page)).toEqual([]);
  for (const [width, height] of [
    [360, 740],
    [667, 375],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    expect(await seen(page), `${width}x${height}`).toEqual([]);
    for (const part of ["[role=grid]", ".clock >> nth=0", ".clock >> nth=1", ".status", ".zen-leave"])
      expect(await page.locator(part).isVisible(), `${part} at ${width}x${height}`).toBe(true);
  }
  await drag(page, "e2", "e4");
  await sees(black.page, "e4", "wp");
  // What is read out is all there.
  for (const name of ["Zeitnot, home", "Settings", "Flip the board"])
    expect(await page.getByRole(name === "Zeitnot, home" ? "link" : "button", { name }).count(), name).toBe(1);
  await isClean(page, "zen");
  await page.getByRole("textbox", { name: "Type a move or a command" }).focus();
  expect(await seen(page)).toEqual([".typed"]);
  await page.keyboard.type("z");
  expect(await zen(page)).toBe("on");
});

test("Escape leaves it when there is nothing else to cancel; so do z and the button", { tags: "nightly" }, async () => {
  const { page } = (await startGame(server)).white;
  await square(page, "e2").focus();
  await page.keyboard.press("z");
  await expect.poll(() => zen(page)).toBe("on");
  await page.keyboard.press("Enter");
  await expect.poll(() => square(page, "e2").getAttribute("aria-label")).toContain("picked up");
  await page.keyboard.press("Escape");
  await expect.poll(() => square(page, "e2").getAttribute("aria-label")).not.toContain("picked up");
  expect(await zen(page)).toBe("on");
  await page.keyboard.press("Escape");
  await expect.poll(() => zen(page)).toBe("off");
  await page.keyboard.press("z");
  await expect.poll(() => zen(page)).toBe("on");
  await page.keyboard.press("z");
  await expect.poll(() => zen(page)).toBe("off");
  await page.keyboard.press("z");
  await page.getByRole("button", { name: "Leave zen" }).click();
  await expect.poll(() => zen(page)).toBe("off");
  expect(await page.evaluate(() => document.activeElement?.closest("[role=grid]") !== null)).toBe(true);
  expect(await seen(page)).toEqual(ASIDE);
});

test("by the settings it holds in every game, and shows everything when the game is over", {
  tags: "nightly",
}, async () => {
  const { white, black } = await startGame(server);
  const { page } = white;
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("checkbox", { name: /^Zen/u }).check();
  await page.keyboard.press("Escape");
  await expect.poll(() => seen(page)).toEqual([]);
  await page.reload();
  await board(page).waitFor();
  await expect.poll(() => seen(page)).toEqual([]);
  await resign(black.page);
  await ended(page, /resigned$/u);
  expect(await zen(page)).toBe("off");
  await page.goto(white.url);
  await page.getByRole("heading", { name: "Play chess" }).waitFor();
  expect(await zen(page)).toBe("off");
});
