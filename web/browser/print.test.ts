/** A game on paper: board, players and moves, black on white, and nothing that is pressed. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { ended, playOut, startGame } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test("a finished game is printed with its board and all of its moves, without a control", async () => {
  const match = await startGame(server);
  await playOut(match, ["f3", "e5", "g4", "Qh4"]);
  const { page } = match.white;
  await ended(page, "Checkmate");
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

      controls: visible("header, input, dialog, button:not(.ply), .result-card"),
      colours: [color, backgroundColor],
      isWide: document.documentElement.scrollWidth > innerWidth,
    };
  });
  expect(shown).toEqual({
    boards: 1,
    plies: 4,
    players: 2,
    result: 1,

    controls: 0,
    colours: ["rgb(0, 0, 0)", "rgb(255, 255, 255)"],
    isWide: false,
  });
});
