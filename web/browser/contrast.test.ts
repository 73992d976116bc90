/** Forced colours, light and dark: squares, marks, pieces and clocks can still be told apart. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { playOut, startGame, square } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** A computed colour of the first such element. */
function colour(page: Page, what: string, property = "backgroundColor"): Promise<string> {
  return page
    .locator(what)
    .first()
    .evaluate((node, name) => String(getComputedStyle(node)[name as "color"]), property);
}

/** Whether the border of such an element has one colour, at the middle of each of its sides, as it is drawn. */
async function hasWholeBorder(page: Page, what: string): Promise<boolean> {
  const picture = (await page.locator(what).first().screenshot()).toString("base64");
  return page.evaluate(async (base64) => {
    const octets = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([octets], { type: "image/png" }));
    const { width, height } = image;
    const pen = new OffscreenCanvas(width, height).getContext("2d");
    if (!pen) throw new Error("there is no canvas");
    pen.drawImage(image, 0, 0);
    // The box may begin between two pixels: of the outermost two, one is the border's.
    const dark = (x: number, y: number): number => Math.abs((pen.getImageData(x, y, 1, 1).data[0] ?? 0) - ground);
    const ground = pen.getImageData(Math.round(width / 2), 4, 1, 1).data[0] ?? 0;
    const [across, down] = [Math.round(width / 2), Math.round(height / 2)];
    const sides = [
      [dark(across, 0), dark(across, 1)],
      [dark(across, height - 1), dark(across, height - 2)],
      [dark(0, down), dark(1, down)],
      [dark(width - 1, down), dark(width - 2, down)],
    ];
    return sides.every((pair) => Math.max(...pair) > 100);
  }, picture);
}

test("with forced colours everything that a fill tells is still told", async () => {
  const match = await startGame(server);
  await playOut(match, ["e4", "e5"]);
  const { page } = match.white;
  for (const [colorScheme, knight] of [
    ["light", "g1"],
    ["dark", "b1"],
  ] as const) {
    await page.emulateMedia({ colorScheme, forcedColors: "active" });
    await square(page, knight).click();
    await page.locator(".cell.target").first().waitFor();
    const fills = [
      ".cell.light:not(.last, .selected)",
      ".cell.dark:not(.last, .selected)",
      ".cell.last",
      ".cell.selected",
    ];
    const squares = await Promise.all(fills.map((what) => colour(page, what)));
    expect(new Set(squares).size, `${colorScheme}: ${squares.join(" ")}`).toBe(fills.length);
    const pairs: [string, string, string][] = [
      [".piece.white", ".piece.black", "fill"],
      [".disc.white", ".disc.black", "color"],
      [".clock.running", ".clock:not(.running)", "backgroundColor"],
      [".ply[aria-current]", ".ply:not([aria-current])", "backgroundColor"],
    ];
    for (const [one, other, property] of pairs) {
      const read = (what: string): Promise<string> =>
        property === "fill"
          ? page
              .locator(what)
              .first()
              .evaluate((node) => getComputedStyle(node).getPropertyValue("--fill"))
          : colour(page, what, property);
      expect(await read(one), `${one}, ${colorScheme}`).not.toBe(await read(other));
    }
    for (const what of [".clock.running", ".ply[aria-current]", ".status", ".presence .dot"]) {
      const [ink, ground] = [await colour(page, what, "color"), await colour(page, what)];
      if (what !== ".presence .dot") expect(ink, `${what}, ${colorScheme}`).not.toBe(ground);
      else expect(ground, `${what}, ${colorScheme}`).not.toBe(await colour(page, "body"));
    }
    expect(await colour(page, ".cell.target", "forcedColorAdjust")).toBe("none");
    expect(await hasWholeBorder(page, ".clock:not(.running)"), `the border of a clock, ${colorScheme}`).toBe(true);
  }
});
