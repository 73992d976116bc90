/** What the mouse does beside moving: arrows and circles, the mark under a dragged piece, and the wheel. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { drag, pickUp, pieceOn, playOut, rightClick, square, startGame } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test("a right drag draws an arrow and a right click a circle, in the colour of the keys held; a left click clears them", async () => {
  const { white, black } = await startGame(server);
  const { page } = white;
  const drawn = async () =>
    (
      await page.locator(".drawings path").evaluateAll((paths) => paths.map((path) => path.getAttribute("class")))
    ).sort();
  await drag(page, "g1", "f3", "right");
  await rightClick(page, "e4");
  for (const [keys, name] of [
    [["Shift"], "a4"],
    [["Alt"], "b4"],
    [["Shift", "Alt"], "c4"],
  ] as const) {
    for (const key of keys) await page.keyboard.down(key);
    await rightClick(page, name);
    for (const key of keys) await page.keyboard.up(key);
  }
  await expect.poll(drawn).toEqual(["arrow green", "circle blue", "circle green", "circle red", "circle yellow"]);
  // Drawn again, it goes.
  await drag(page, "g1", "f3", "right");
  await expect.poll(drawn).toEqual(["circle blue", "circle green", "circle red", "circle yellow"]);
  expect(await page.locator(".cell.selected").count()).toBe(0);
  const at = await square(page, "h5").boundingBox();
  if (!at) throw new Error("h5 is on the screen");
  await page.mouse.click(at.x + 5, at.y + 5);
  await expect.poll(drawn).toEqual([]);
  // They are of one position.
  await rightClick(page, "e4");
  await expect.poll(drawn).toEqual(["circle green"]);
  await playOut({ white, black, path: "" }, ["e4"]);
  await expect.poll(drawn).toEqual([]);
  expect(await black.page.locator(".drawings").count()).toBe(0);
  expect(white.errors).toEqual([]);
});

test("the square under a dragged piece is marked, for a finger larger; the right button gives the drag up", async () => {
  const { white } = await startGame(server);
  const { page } = white;
  const mark = page.locator(".hover-mark");
  await pickUp(page, "e2", "e3");
  expect(await mark.getAttribute("class")).toBe("hover-mark by-mouse");
  const [on, under] = [await mark.boundingBox(), await square(page, "e3").boundingBox()];
  expect([Math.round(on?.x ?? 0), Math.round(on?.y ?? 0)]).toEqual([
    Math.round(under?.x ?? 1),
    Math.round(under?.y ?? 1),
  ]);
  await page.mouse.down({ button: "right" });
  await page.mouse.move((under?.x ?? 0) + 8, (under?.y ?? 0) + 8);
  expect(await mark.getAttribute("class")).toBe("hover-mark");
  await page.mouse.up({ button: "right" });
  await page.mouse.up();
  expect(await pieceOn(page, "e2")).toBe("wp");

  const box = await square(page, "d2").boundingBox();
  if (!box) throw new Error("d2 is on the screen");
  const session = await white.context.newCDPSession(page);
  const finger = (ranks: number) => [{ x: box.x + box.width / 2, y: box.y + box.height * (0.5 - ranks) }];
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: finger(0) });
  for (const ranks of [0.5, 1])
    await session.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: finger(ranks) });
  await expect.poll(() => mark.getAttribute("class")).toBe("hover-mark by-finger");
  const disc = await mark.evaluate((node) => getComputedStyle(node, "::before").width);
  expect(Number.parseFloat(disc)).toBeGreaterThan(box.width * 1.9);
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
});

test("a piece that still glides can be picked up, and follows the pointer", { tags: "nightly" }, async () => {
  const { white } = await startGame(server);
  const { page } = white;
  const piece = square(page, "e2").locator(".piece");
  await piece.evaluate((node) => {
    node.animate([{ transform: "translate(-300px, 0)" }, { transform: "none" }], 1e6);
  });
  await pickUp(page, "e2", "e4");
  const [held, under] = [await piece.boundingBox(), await square(page, "e4").boundingBox()];
  expect([Math.round(held?.x ?? 0), Math.round(held?.y ?? 0)]).toEqual([
    Math.round(under?.x ?? 1),
    Math.round(under?.y ?? 1),
  ]);
  await page.mouse.up();
});

test("the wheel steps through the game over the board, and scrolls beside it", async () => {
  const match = await startGame(server);
  await playOut(match, ["e4", "e5", "Nf3"]);
  const { page } = match.white;
  await page.setViewportSize({ width: 800, height: 1200 });
  const at = await square(page, "d5").boundingBox();
  if (!at) throw new Error("d5 is on the screen");
  await page.mouse.move(at.x, at.y);
  await page.mouse.wheel(0, -120);
  await expect.poll(() => pieceOn(page, "f3")).toBe("");
  await page.mouse.wheel(0, -120);
  await expect.poll(() => pieceOn(page, "e5")).toBe("");
  await page.mouse.wheel(0, 120);
  await expect.poll(() => pieceOn(page, "e5")).toBe("bp");
  // A touchpad scrolls a little at a time.
  for (let n = 0; n < 3; n += 1) await page.mouse.wheel(0, 25);
  await expect.poll(() => pieceOn(page, "f3")).toBe("wn");
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.setViewportSize({ width: 800, height: 500 });
  const below = await page.locator(".side .moves").boundingBox();
  await page.mouse.move((below?.x ?? 0) + 3, (below?.y ?? 0) + 3);
  await page.mouse.wheel(0, 150);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
});
