/** A game on paper: board, players and moves, black on white, and nothing that is pressed. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { ended, playOut, startGame, resign } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** More moves than a line of paper has room for. */
const MOVES = "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d4 exd4 cxd4 Bb4+ Nc3 Nxe4 O-O Bxc3 d5 Bf6 Re1 Ne7 Rxe4 d6".split(" ");

test("a finished game is printed with its board and all of its moves, without a control", async () => {
  const match = await startGame(server);
  await playOut(match, MOVES);
  const { page } = match.white;
  await resign(match.black.page);
  await ended(page, /resigned$/u);
  await page.setViewportSize({ width: 794, height: 1123 });
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const shown = await page.evaluate(() => {
    const visible = (what: string) =>
      [...document.querySelectorAll(what)].filter((one) => one.checkVisibility()).length;
    const { color, backgroundColor } = getComputedStyle(document.body);
    return {
      boards: visible("[role=grid]"),
      plies: visible("button.ply"),
      players: visible(".player"),
      result: visible(".status.result"),
      controls: visible("header, input, dialog, button:not(.ply)"),
      colours: [color, backgroundColor],
      names: [...document.querySelectorAll(".player .name")].map((one) => one.scrollWidth <= one.clientWidth),
      isWide: [...document.querySelectorAll("button.ply")].some(
        (one) => one.getBoundingClientRect().right > innerWidth,
      ),
      scrolls: document.documentElement.scrollWidth > innerWidth,
    };
  });
  expect(shown).toEqual({
    boards: 1,
    plies: MOVES.length,
    players: 2,
    result: 1,
    controls: 0,
    colours: ["rgb(0, 0, 0)", "rgb(255, 255, 255)"],
    names: [true, true],
    isWide: false,
    scrolls: false,
  });
  // An analysis fits its sheet, without charts that would stand alone on another.
  await page.emulateMedia({ media: "screen" });
  await page.goto(`${match.white.url}/analysis${match.path}`);
  await page.locator(".time-chart").waitFor();
  await page.emulateMedia({ media: "print" });
  expect(await page.locator(".time-chart").isVisible()).toBe(false);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(1123);
});
