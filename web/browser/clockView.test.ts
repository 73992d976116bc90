/** The clocks on the screen: large, the running one filled, legible, and still while their digits change. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Locator, Page } from "playwright-core";
import { FLAGGED, board, ended, plies, playOut, startGame, type } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const WINDOWS = [
  [360, 740],
  [667, 375],
  [1440, 900],
] as const;
/** Twice what a line of text has. */
const LARGE_PX = 32;

const running = (page: Page): Locator => page.locator(".clock.running");
const fontSize = (clock: Locator): Promise<number> =>
  clock.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));

/** The contrast of an element's text with its own ground (WCAG 2.2, 1.4.3). */
function contrast(clock: Locator): Promise<number> {
  return clock.evaluate((element) => {
    const pen = document.createElement("canvas").getContext("2d");
    if (!pen) throw new Error("there is no canvas");
    const light = (color: string): number => {
      pen.fillStyle = color;
      pen.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = [...pen.getImageData(0, 0, 1, 1).data].map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const { color, backgroundColor } = getComputedStyle(element);
    const [low = 0, high = 0] = [light(color), light(backgroundColor)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  });
}

test("the clock of a side that is out of time stays marked, and the other one is not, in forced colours too", {
  tags: "nightly",
}, async () => {
  const { white } = await startGame(server, FLAGGED);
  const { page } = white;
  await ended(page, /out of time$/u);
  const looks = (color: string, property: string) =>
    page
      .locator(`[data-color=${color}] .clock`)
      .evaluate((clock, name) => getComputedStyle(clock).getPropertyValue(name), property);
  const low = page.locator(".clock.low");
  expect(await low.allInnerTexts()).toEqual(["0.0"]);
  expect(await looks("white", "color")).not.toBe(await looks("black", "color"));
  expect(await contrast(low)).toBeGreaterThanOrEqual(3);
  await page.emulateMedia({ forcedColors: "active" });
  expect([await looks("white", "text-decoration-line"), await looks("black", "text-decoration-line")]).toEqual([
    "underline",
    "none",
  ]);
});

test("they are large on phones and desks, larger if one likes, and the running one is filled", async () => {
  const match = await startGame(server);
  const { page } = match.white;
  await playOut(match, ["e4", "e5"]);
  await running(page).waitFor();
  const plain: number[] = [];
  for (const [width, height] of WINDOWS) {
    await page.setViewportSize({ width, height });
    plain.push(await fontSize(running(page)));
    expect(plain.at(-1), `${width}x${height}`).toBeGreaterThanOrEqual(LARGE_PX);
  }
  const ground = (clock: Locator) => clock.evaluate((element) => getComputedStyle(element).backgroundColor);
  expect(await ground(running(page))).not.toBe(await ground(page.locator(".clock:not(.running)")));
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("checkbox", { name: "Large clocks" }).check();
  await page.keyboard.press("Escape");
  for (const [index, [width, height]] of WINDOWS.entries()) {
    await page.setViewportSize({ width, height });
    expect(await fontSize(running(page)), `${width}x${height}`).toBeGreaterThan(plain[index] ?? 0);
  }
});

test("no digit is hard to read, and none moves anything: from whole seconds to tenths, light and dark", {
  tags: "nightly",
}, async () => {
  const match = await startGame(server, { minutes: "0.5", seconds: "0" });
  const { page } = match.white;
  for (const [mover, move] of [
    [match.white, "e4"],
    [match.black, "e5"],
  ] as const) {
    await type(mover.page, move);
    await plies(page, move === "e4" ? 1 : 2);
  }
  const clock = page.locator('[data-color="white"] .clock');
  const legible = async (state: string) => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const color of ["white", "black"])
        expect(
          await contrast(page.locator(`[data-color="${color}"] .clock`)),
          `${color}, ${state}, ${colorScheme}`,
        ).toBeGreaterThanOrEqual(4.5);
    }
  };
  const place = () => clock.boundingBox();
  await page.evaluate(() => {
    // Every width that the clock ever has, as it changes.
    const seen: string[] = [];
    Object.assign(window, { seen });
    const element = document.querySelector('[data-color="white"] .clock');
    if (!element) throw new Error("there is a clock");
    new MutationObserver(() => {
      const { x, width } = element.getBoundingClientRect();
      seen.push(`${x} ${width}`);
    }).observe(element, { characterData: true, childList: true, subtree: true });
  });
  const before = await place();
  await legible("not low");
  await expect.poll(() => clock.getAttribute("class"), { timeout: 30_000 }).toContain("low");
  await legible("low");
  await expect.poll(() => clock.innerText(), { timeout: 30_000 }).toMatch(/^\d?\d\.\d$/u);
  expect(await place()).toEqual(before);
  // A place is named, so that a failure says where the clock was.
  const places = await page.evaluate(() => [...new Set((window as unknown as { seen: string[] }).seen)]);
  expect(places).toEqual([`${before?.x} ${before?.width}`]);
});

test("the first move has a countdown for everybody, and it goes on after a reload", async () => {
  const match = await startGame(server);
  const guest = await server.person();
  await guest.page.goto(guest.url + match.path);
  await board(guest.page).waitFor();
  const seconds = async (page: Page): Promise<number> =>
    Number(/First move within (\d+)\ss/u.exec(await page.locator(".status").innerText())?.[1] ?? Number.NaN);
  for (const { page } of [match.white, match.black, guest]) {
    await expect.poll(() => seconds(page)).toBeLessThanOrEqual(30);
    const first = await seconds(page);
    await expect.poll(() => seconds(page), { timeout: 15_000 }).toBeLessThan(first);
  }
  const before = await seconds(match.white.page);
  await match.white.page.reload();
  await board(match.white.page).waitFor();
  await expect.poll(() => seconds(match.white.page)).toBeLessThanOrEqual(before);
  await playOut(match, ["e4", "e5"]);
  for (const { page } of [match.white, match.black, guest])
    await expect.poll(() => page.locator(".status").innerText()).not.toContain("First move");
});
