/** A game in a frame on another site: whole in every shape of frame, live, and legible in light and dark. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { isClean } from "./axe";
import { plies, playOut, startGame, resign } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** From a column beside a text to a whole window. */
const FRAMES = [
  [160, 240],
  [240, 320],
  [400, 500],
  [600, 300],
  [1200, 900],
] as const;
/** The shorter side that is left for the board, between the lines of the players and the last line. */
const SHARE_LEAST = 0.55;

test("a game that is played is shown whole in every frame, follows its moves, and says how it ended", async () => {
  const match = await startGame(server);
  const { page, context, url, errors } = await server.person();
  await page.goto(`${url}/embed${match.path}?side=black`);
  await page.locator(".embed").waitFor();
  await playOut(match, ["e4", "e5"]);
  await page.getByText("1 … e5").waitFor();
  const fills = await page.evaluate(() =>
    [".light-squares", ".dark-squares", ".figure.white", ".figure.black"].map((what) => {
      const element = document.querySelector(what);
      if (!element) throw new Error(`there is no ${what}`);
      if (!what.startsWith(".figure")) return getComputedStyle(element).fill;
      // What is drawn of a piece is a copy that no script reaches: another shape in its place is styled the same.
      const [group, shape] = ["g", "path"].map((name) => document.createElementNS("http://www.w3.org/2000/svg", name));
      group?.setAttribute("class", element.getAttribute("class") ?? "");
      shape?.setAttribute("class", "shape");
      if (!group || !shape) throw new Error("two elements were made");
      group.append(shape);
      element.after(group);
      const { fill } = getComputedStyle(shape);
      group.remove();
      return fill;
    }),
  );
  expect(new Set(fills).size, `squares and pieces are told apart: ${fills.join(", ")}`).toBe(fills.length);
  expect(fills).not.toContain("");
  for (const [width, height] of FRAMES) {
    await page.setViewportSize({ width, height });
    const found = await page.evaluate(() => {
      const { scrollWidth, scrollHeight } = document.documentElement;
      const boxes = [...document.querySelectorAll(".embed-side, .embed-board, .embed-foot, .embed-clock")].map((one) =>
        one.getBoundingClientRect(),
      );
      const board = document.querySelector(".embed-board")?.getBoundingClientRect() ?? new DOMRect();
      const inside = boxes.every(
        (box) => box.left >= 0 && box.top >= 0 && box.right <= innerWidth + 0.5 && box.bottom <= innerHeight + 0.5,
      );
      const sides = [board.width, board.height].map(Math.round);
      return { scrolls: scrollWidth > innerWidth || scrollHeight > innerHeight, inside, sides };
    });
    const frame = `${width}x${height}`;
    expect(found, frame).toMatchObject({ scrolls: false, inside: true });
    expect(found.sides[0], frame).toBe(found.sides[1]);
    expect(found.sides[0], frame).toBeGreaterThanOrEqual(SHARE_LEAST * Math.min(width, height));
    if (width === 160 || width === 1200) await isClean(page, `a game in a frame of ${frame}`);
  }
  await resign(match.white.page);
  await page.getByText("Black wins · White resigned").waitFor();
  // Who watches so is nobody, and leaves nothing behind.
  expect(await context.cookies()).toEqual([]);
  expect(errors).toEqual([]);
  await plies(match.black.page, 2);
});

test("a game that there is not is said to be unknown", async () => {
  const { page, url } = await server.person();
  await page.goto(`${url}/embed/000000000000`);
  await page.locator(".embed-note").getByText("no such game").waitFor();
});
