/** The search for finished games on a player's page: each condition, how many fit, further pages, and all as PGN. */
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isClean } from "./axe";
import { type Match, board, ended, playOut, startGame, type } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const rows = (page: Page) => page.locator(".games tbody tr");
const counts = (page: Page) => page.locator(".counts");

async function search(page: Page, fields: Record<string, string>): Promise<void> {
  await page.getByRole("button", { name: "Clear" }).click();
  for (const [label, value] of Object.entries(fields)) {
    const choice = page.locator(".filters").getByRole("combobox", { name: label, exact: true });
    if (await choice.count()) await choice.selectOption({ label: value });
    else await page.locator(".filters").getByLabel(label, { exact: true }).fill(value);
  }
  await page.getByRole("button", { name: "Search" }).click();
}

async function found(page: Page, n: number): Promise<void> {
  await expect.poll(() => counts(page).innerText(), { timeout: 10_000 }).toMatch(new RegExp(`^Games: ${n}\\.`, "u"));
  await expect.poll(() => rows(page).count()).toBe(n);
}

/** Two games of the same two: Black mates after 1. f3, and with colours swapped Black resigns after 1. e4. */
async function twoGames(): Promise<Match> {
  const match = await startGame(server);
  await playOut(match, ["f3", "e5", "g4", "Qh4"]);
  await ended(match.white.page, "Checkmate");
  await match.white.page.getByRole("button", { name: "Rematch" }).click();
  await match.black.page.getByRole("button", { name: "Accept the rematch" }).click();
  const swapped = { ...match, white: match.black, black: match.white };
  await expect.poll(() => match.white.page.url()).not.toContain(match.path);
  await expect.poll(() => match.black.page.url()).toBe(match.white.page.url());
  await board(match.white.page).waitFor();
  await playOut(swapped, ["e4", "e5", "Nf3"]);
  await type(swapped.black.page, "resign");
  await type(swapped.black.page, "resign");
  await ended(swapped.black.page, "Resignation");
  return match;
}

/** The page of the one who mated, with the search open, after both games. */
async function atSearch(): Promise<Page> {
  const { page } = (await twoGames()).white;
  await page
    .getByRole("link", { name: /^Guest-/u })
    .first()
    .click();
  await page.getByRole("heading", { name: "Finished games" }).waitFor();
  await found(page, 2);
  await page.getByText("Filter and search").click();
  return page;
}

test("games are found by every condition, and counted", async () => {
  const page = await atSearch();
  expect(await counts(page).innerText()).toBe("Games: 2. White won 1, Black won 1, draws 0, others 0.");
  await isClean(page, "the search for finished games");
  await search(page, { "Colour of the player": "Black", Result: "Black won" });
  await found(page, 1);
  await page.getByText("Filter: 2 conditions").waitFor();
  await search(page, { "Ended by": "Checkmate", Category: "Blitz", Opponent: "Nobody-Here" });
  await found(page, 0);
  await page.getByText("No finished games fit.").waitFor();
  await search(page, { "Ended by": "Checkmate", Category: "Blitz", "Rated or casual": "Casual", From: "2001-01-01" });
  await found(page, 1);
  await search(page, { To: "2001-01-01" });
  await found(page, 0);
}, 120_000);

test("games are found by their opening moves, downloaded, and analysed", async () => {
  const page = await atSearch();
  const opening = "Opening moves, such as 1. e4 e5";
  await search(page, { [opening]: "1. e4 e5 2. Nf4" });
  await page.getByRole("alert").getByText("These opening moves cannot be played.").waitFor();
  await search(page, { [opening]: "1. f3 e5" });
  await found(page, 1);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download all as PGN" }).click();
  const pgn = readFileSync((await (await download).path()) ?? "", "utf8");
  expect(pgn.match(/^\[Event /gmu)?.length).toBe(1);
  expect(pgn).toContain("Qh4#");
  await page.getByRole("link", { name: /^Analyse /u }).click();
  await page.getByRole("heading", { name: /^Analysis: / }).waitFor({ state: "attached" });
}, 120_000);

test("the form fits a phone, and further pages come on request", async () => {
  const viewport = { width: 320, height: 568 };
  const match = await startGame(server, {}, { white: { viewport } });
  await type(match.white.page, "resign");
  await type(match.white.page, "resign");
  await ended(match.white.page, "Resignation");
  const { page } = match.white;
  // The server's pages have 50 games; here each has one.
  await page.route("**/api/games?*", async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { games: object[]; next?: string };
    const isFirst = !route.request().url().includes("before=");
    await route.fulfill({ response, json: isFirst ? { ...body, next: "7" } : { games: body.games } });
  });
  await page.goto(`${match.white.url}/@/${await accountOf(page)}`);
  await page.getByText("Filter and search").click();
  await isClean(page, "the search on a phone");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  const small = await page
    .locator(".filters :is(input, select, button, summary)")
    .evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().height < 44).length);
  expect(small).toBe(0);
  await page.getByRole("button", { name: "Older games" }).click();
  await expect.poll(() => page.getByRole("button", { name: "Older games" }).count()).toBe(0);
  // The page may still ask for more games, and closes with the test.
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

async function accountOf(page: Page): Promise<string> {
  const me = await page.evaluate(async () => (await (await fetch("/api/me")).json()) as { account: string });
  return me.account;
}
