/** Without sight: whole games through roles, labels and the live region only, and axe-core on every page. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isClean } from "./axe";
import { chooseLanguage, createGame, announces, openMore, openOtherClock, startGame } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const cell = (page: Page, label: RegExp) => page.getByRole("gridcell", { name: label });

/** Walks the grid with the arrow keys from the focused square to another, and presses Enter. */
async function walk(page: Page, to: string): Promise<void> {
  const focused = (): Promise<string> =>
    page.evaluate(() => document.activeElement?.getAttribute("aria-label")?.slice(0, 2) ?? "");
  for (let steps = 0; steps < 16; steps += 1) {
    const at = await focused();
    if (at === to) return page.keyboard.press("Enter");
    const files = to.charCodeAt(0) - at.charCodeAt(0);
    const ranks = Number(to.charAt(1)) - Number(at.charAt(1));
    const flipped = (await page.getByRole("grid").getAttribute("aria-label"))?.includes("Black") ?? false;
    const right = files > 0 !== flipped;
    const up = ranks > 0 !== flipped;
    await page.keyboard.press(files !== 0 ? (right ? "ArrowRight" : "ArrowLeft") : up ? "ArrowUp" : "ArrowDown");
  }
  throw new Error(`${to} was not reached`);
}

async function moveByKeys(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole("grid").getByRole("gridcell").and(page.locator("[tabindex='0']")).focus();
  await walk(page, from);
  await cell(page, new RegExp(`^${from}.*picked up`, "u")).waitFor();
  await walk(page, to);
}

test("a game by keys alone, found by roles and labels, heard from the live region", async () => {
  const white = await server.person();
  const black = await server.person();
  await white.page.goto(white.url);
  await white.page.getByRole("tab", { name: "Quick pairing" }).focus();
  await white.page.keyboard.press("ArrowRight");
  await white.page.getByRole("form", { name: "New game" }).waitFor();
  await white.page.getByRole("radio", { name: "A friend, by link" }).focus();
  await white.page.keyboard.press("Space");
  await white.page.getByRole("button", { name: "10+5" }).focus();
  await white.page.keyboard.press("Enter");
  await white.page.getByRole("radio", { name: "White" }).focus();
  await white.page.keyboard.press("Space");
  await white.page.getByRole("button", { name: "Create the link" }).focus();
  await white.page.keyboard.press("Enter");
  const link = white.page.getByRole("paragraph").filter({ hasText: "Link to the game:" });
  await black.page.goto((await link.innerText()).replace(/^Link to the game:\s*/u, ""));
  await black.page.getByRole("button", { name: "Join the game" }).focus();
  await black.page.keyboard.press("Enter");
  await announces(white.page, "The game begins. You play White.");
  await announces(black.page, "The game begins. You play Black.");

  await moveByKeys(white.page, "f2", "f3");
  await announces(black.page, "White: f3");
  await moveByKeys(black.page, "e7", "e5");
  await announces(white.page, "Black: e5");
  await cell(white.page, /^e5, black pawn, last move/u).waitFor();
  await moveByKeys(white.page, "g2", "g4");
  await announces(black.page, "White: g4");
  await moveByKeys(black.page, "d8", "h4");
  await announces(white.page, "You lose. Checkmate.");
  await announces(black.page, "You win. Checkmate.");
  await cell(white.page, /^e1, white king, in check/u).waitFor();
});

test("a game by typing alone: questions, premove, offers, promotion, resignation", async () => {
  const match = await startGame(server, { fen: "7k/P7/8/8/8/8/7p/K7 w - - 0 1" });
  const { white, black } = match;
  const say = async (page: Page, text: string, answer?: string | RegExp): Promise<void> => {
    const line = page.getByRole("textbox", { name: "Type a move or a command" });
    await line.fill(text);
    await page.keyboard.press("Enter");
    if (answer !== undefined) await announces(page, answer);
  };
  await say(white.page, "help", /clock: reads both clocks\./u);
  await say(white.page, "board", "White: king a1, pawn a7. Black: king h8, pawn h2.");
  await say(white.page, "clock", "White 5 minutes. Black 5 minutes.");
  await say(black.page, "h1=Q", "Premove h2–h1=Q");
  await say(black.page, "cancel", "Premove cancelled");
  await say(black.page, "xyz", "“xyz” is not a move or command here.");
  await say(white.page, "a8", /is not a move/u);
  await say(white.page, "a8=R+");
  await announces(black.page, "White: a8 promotes to rook, check");
  await say(black.page, "Kg7");
  await announces(white.page, "Black: king g7");
  await say(white.page, "last", "Black: king g7");
  await say(white.page, "status", "Your turn");
  await say(white.page, "moves", /Legal moves: /u);
  await say(white.page, "draw");
  await announces(black.page, /^Guest-\w+ offers a draw$/u);
  await say(black.page, "decline");
  await announces(white.page, /^Guest-\w+ declines the draw\. You can offer again from move \d+ on\.$/u);
  await say(white.page, "resign", "Type resign again to resign.");
  await say(white.page, "status", "Your turn");
  await say(white.page, "resign", "Type resign again to resign.");
  await say(white.page, "resign");
  await announces(black.page, "You win. Opponent resigned.");
});

test("the last minute is said at 60, 30 and 10 seconds", { tags: "nightly" }, async () => {
  const { white, black } = await startGame(server, { minutes: "0.18", seconds: "0" });
  for (const [person, move] of [
    [white, "e4"],
    [black, "e5"],
  ] as const) {
    await person.page.getByRole("textbox", { name: "Type a move or a command" }).fill(move);
    await person.page.keyboard.press("Enter");
    await announces(person === white ? black.page : white.page, /: e[45]/u);
  }
  await announces(white.page, "White: 10 seconds left");
  await announces(black.page, "White: 10 seconds left");
});

test("axe-core finds nothing on home, waiting, invitation, watching and the lost page", async () => {
  const white = await server.person();
  await white.page.goto(white.url);
  await isClean(white.page, "home");
  await white.page.getByRole("tab", { name: "Custom game" }).click();
  await openMore(white.page);
  await openOtherClock(white.page);
  await white.page.getByLabel("Several periods").check();
  await white.page.getByLabel("Different clocks").check();
  await isClean(white.page, "home with every field");
  const path = await createGame(white, { color: "White" });
  await isClean(white.page, "waiting");
  const black = await server.person();
  await black.page.goto(black.url + path);
  await black.page.getByRole("button", { name: "Join the game" }).waitFor();
  await isClean(black.page, "an invitation");
  await white.page.getByRole("button", { name: "Withdraw" }).click();
  await white.page.getByRole("heading", { name: "The invitation was withdrawn" }).waitFor();
  await isClean(white.page, "a withdrawn invitation");
  await black.page.getByRole("heading", { name: "This invitation was withdrawn" }).waitFor();
  const { path: live } = await startGame(server);
  await black.page.goto(black.url + live);
  await black.page.getByRole("grid").waitFor();
  await isClean(black.page, "watching");
});

test("the page speaks German as well, and says so", { tags: "nightly" }, async () => {
  const person = await server.person({ locale: "de-DE" });
  await person.page.goto(person.url);
  await isClean(person.page, "home, in German");
  await person.page.getByRole("tab", { name: "Eigene Partie" }).click();
  await person.page.getByRole("radio", { name: "Ein Freund, per Link" }).check({ force: true });
  await person.page.getByRole("button", { name: "Link erstellen" }).click();
  await person.page.getByRole("heading", { name: "Warten auf einen Gegner" }).waitFor();
  expect(await person.page.evaluate(() => document.documentElement.lang)).toBe("de");
  await isClean(person.page, "waiting, in German");
  await chooseLanguage(person.page, "en");
  await person.page.getByRole("heading", { name: "Waiting for an opponent" }).waitFor();
});
