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
      [".disc.white", ".disc.black", "backgroundColor"],
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
  }
});
