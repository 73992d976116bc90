/** A phone: a game by touch at 360x740, and no page wider than its screen at any size. */
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isClean } from "./axe";
import { ended, offerDraw, playOut, sees, startGame, square, touch } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
const SIZES = [
  [360, 740],
  [820, 1180],
  [1440, 900],
] as const;

test("a game by touch on a phone; board, clocks and moves stay where they are", async () => {
  const match = await startGame(server, {}, { white: PHONE, black: PHONE });
  const { white, black } = match;
  const place = async () => {
    const boxes = await Promise.all(
      ["[role=grid]", ".clock >> nth=0", ".clock >> nth=1", ".status", ".moves", ".actions"].map((what) =>
        white.page.locator(what).boundingBox(),
      ),
    );
    return boxes.map((box) => box && [box.x, box.y, box.width].map(Math.round));
  };
  const first = await place();
  expect(first[0]).toEqual([0, expect.any(Number), 360]);
  await touch(white.page, "f2", "f3");
  await sees(black.page, "f3", "wp");
  await touch(black.page, "e7", "e5");
  await sees(white.page, "e5", "bp");
  expect(await place()).toEqual(first);
  expect(await white.page.locator(".took:visible").count(), "times in the one line of moves").toBe(0);
  await touch(white.page, "g2", "g4");
  await sees(black.page, "g4", "wp");
  await touch(black.page, "d8", "h4");
  await ended(white.page, "Checkmate");
  expect(await white.page.locator(".took:visible").count()).toBe(4);
  await isClean(white.page, "a phone");
});

test("everything one plays with is on the screen at once; where there is a keyboard, the line for typed moves too", {
  tags: "nightly",
}, async () => {
  const match = await startGame(server, {}, { white: { viewport: PHONE.viewport } });
  await playOut(match, ["e4", "e5"]);
  const { page } = match.white;
  await page.evaluate(() => scrollTo(0, 0));
  for (const [width, height] of [SIZES[0], [390, 740], SIZES[1]] as const) {
    await page.setViewportSize({ width, height });
    for (const what of ["[role=grid]", ".status", ".moves", ".actions", ".typed .row"]) {
      const box = await page.locator(what).boundingBox();
      expect(box && Math.round(box.y + box.height), `${what} at ${width}x${height}`).toBeLessThanOrEqual(height);
    }
  }
});

test("with a finger the moves have a line of their own, and that for typed moves is seen while it has the focus", {
  tags: "nightly",
}, async () => {
  const match = await startGame(server, {}, { white: PHONE });
  await playOut(match, ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7", "Re1", "b5"]);
  const { page } = match.white;
  const list = page.locator(".moves ol");
  const shown = await list.locator("button.ply").evaluateAll((all) => {
    const box = all[0]?.closest("ol")?.getBoundingClientRect();
    if (!box) return [];
    const isSeen = (one: DOMRect) =>
      one.top >= box.top - 1 && one.bottom <= box.bottom + 1 && one.right <= box.right + 1;
    return all.filter((one) => isSeen(one.getBoundingClientRect())).map((one) => one.textContent);
  });
  expect(shown.length).toBeGreaterThanOrEqual(5);
  expect(await page.locator(".moves .steps button:visible").count()).toBe(6);
  expect(shown[shown.length - 1]).toContain("b5");
  const line = page.getByRole("textbox", { name: "Type a move or a command" });
  const high = async () => (await page.locator(".typed").boundingBox())?.height ?? 0;
  // The moves were typed.
  await line.blur();
  expect(await high()).toBeLessThanOrEqual(1);
  await line.focus();
  expect(await high()).toBeGreaterThanOrEqual(44);
  await line.fill("Bb3");
  await page.keyboard.press("Enter");
  await sees(page, "b3", "wb");
});

test("both answers to an offer are as high as a finger needs, and apart from each other", {
  tags: "nightly",
}, async () => {
  const match = await startGame(server, {}, { black: PHONE });
  await playOut(match, ["e4", "e5"]);
  const { page } = match.black;
  const high = () => page.locator(".side > .status").evaluate((one) => one.getBoundingClientRect().height);
  const before = await high();
  await offerDraw(match.white.page);
  const answers = page.locator(".side > .status.offer button");
  await answers.first().waitFor();
  const [accept, decline] = await answers.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
  expect(Math.min(accept.height, decline.height)).toBeGreaterThanOrEqual(44);
  expect(decline.left - accept.right).toBeGreaterThanOrEqual(12);
  expect(await high(), "it moves nothing below").toBe(before);
});

test("a finger that drags a piece moves the piece, not the page", async () => {
  const { white, black } = await startGame(server, {}, { white: PHONE });
  const box = await square(white.page, "e2").boundingBox();
  if (!box) throw new Error("e2 is on the screen");
  const session = await white.context.newCDPSession(white.page);
  const at = (ranks: number) => [{ x: box.x + box.width / 2, y: box.y + box.height / 2 - ranks * box.height }];
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(0) });
  for (const ranks of [0.3, 0.8, 1.4, 2])
    await session.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(ranks) });
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await sees(black.page, "e4", "wp");
  expect(await white.page.evaluate(() => scrollY)).toBe(0);
});

test("two taps choose what a pawn becomes, in a game and on the analysis board, and the page stays where it is", async () => {
  const fen = "7k/P7/8/8/8/8/8/K7 w - - 0 1";
  const { white, black } = await startGame(server, { fen }, { white: PHONE });
  const { page } = white;
  const promotes = async (control: Locator) => {
    // What has the focus is far below.
    await control.evaluate((one) => one.focus({ preventScroll: true }));
    await page.evaluate(() => scrollTo(0, 0));
    await touch(page, "a7", "a8");
    // The taps have ended, and their clicks come at once.
    await page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
    await page.getByRole("dialog", { name: "Promote to" }).getByRole("button", { name: "knight" }).tap();
    await sees(page, "a8", "wn");
    expect(await page.evaluate(() => scrollY)).toBe(0);
  };
  await promotes(page.locator("a, button, summary").last());
  await sees(black.page, "a8", "wn");
  await page.goto(`${white.url}/analysis?fen=${encodeURIComponent(fen)}`);
  await page.getByRole("region", { name: "Position" }).and(page.locator('[aria-busy="false"]')).waitFor();
  await promotes(page.locator("a, button, summary").last());
});

test("nothing is wider than the screen, and the board is whole, at three sizes", { tags: "nightly" }, async () => {
  const match = await startGame(server, { profile: "casual" });
  await playOut(match, ["e4", "e5", "Nf3", "Nc6"]);
  const { page } = match.white;
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    const { wide, right, bottom } = await page.evaluate(() => {
      const box = document.querySelector("[role=grid]")?.getBoundingClientRect();
      return {
        wide: document.documentElement.scrollWidth,
        right: box?.right ?? Infinity,
        bottom: box?.bottom ?? Infinity,
      };
    });
    expect([wide <= width, right <= width, bottom <= height], `${width}x${height}`).toEqual([true, true, true]);
  }
  await page.goto(match.white.url);
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `home at ${width}`).toBeLessThanOrEqual(
      width,
    );
  }
});

test("a cold start needs few requests", async () => {
  const person = await server.person();
  const asked: string[] = [];
  person.page.on("request", (request) => asked.push(request.url()));
  await person.page.goto(person.url);
  await person.page.getByRole("button", { name: "Play a friend" }).waitFor();
  expect(asked.length).toBeLessThanOrEqual(10);
  expect(person.errors).toEqual([]);
});
