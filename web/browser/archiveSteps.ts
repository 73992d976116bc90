/** What a test of the search for finished games does: play two games, fill in the form, count what is found. */
import { expect } from "vitest";
import type { Page } from "playwright-core";
import { type Match, board, ended, playOut, resign, startGame } from "./steps";
import type { TestServer } from "./testServer";

export const rows = (page: Page) => page.locator(".games > li");
export const OPPONENT = "Opponent";
export const counts = (page: Page) => page.locator(".counts");

/** The conditions that stand below the head of the list while the form is folded. */
export const conditions = (page: Page) => page.locator(".conditions button").allInnerTexts();

/** The name of a field with choices holds their words, too. */
export const fieldOf = (page: Page, label: string) =>
  page
    .locator(".filters label")
    .filter({ has: page.locator("span").getByText(label, { exact: true }) })
    .locator("input, select");

/** The rare conditions are folded. */
export async function openMore(page: Page): Promise<void> {
  const folded = page.locator(".filters details:not([open]) > summary");
  if ((await folded.count()) > 0) await folded.click();
}

export async function search(page: Page, fields: Record<string, string>): Promise<void> {
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await openMore(page);
  for (const [label, value] of Object.entries(fields)) {
    const field = fieldOf(page, label);
    const isChoice = await field.evaluate((one) => one instanceof HTMLSelectElement);
    await (isChoice ? field.selectOption({ label: value }) : field.fill(value));
    // Suggestions would lie over the fields below.
    if (!isChoice) await field.press("Escape");
  }
  await page.getByRole("button", { name: "Search" }).click();
}

export async function found(page: Page, n: number): Promise<void> {
  await expect
    .poll(() => counts(page).innerText(), { timeout: 30_000 })
    .toMatch(n === 0 ? /^No game matches/u : new RegExp(`^(Games: ${n}( ·|$)|${n} (game matches|games match))`, "u"));
  await expect.poll(() => rows(page).count()).toBe(n);
}

/** Two games of the same two: Black mates after 1. f3, and with colours swapped Black resigns after 1. e4. */
export async function twoGamesOn(server: TestServer): Promise<Match> {
  const match = await startGame(server);
  await playOut(match, ["f3", "e5", "g4", "Qh4"]);
  await ended(match.white.page, "Checkmate");
  await match.white.page.getByRole("button", { name: "Rematch" }).click();
  await match.black.page.getByRole("button", { name: "Accept rematch" }).click();
  const swapped = { ...match, white: match.black, black: match.white };
  await expect.poll(() => match.white.page.url()).not.toContain(match.path);
  await expect.poll(() => match.black.page.url()).toBe(match.white.page.url());
  await board(match.white.page).waitFor();
  await playOut(swapped, ["e4", "e5", "Nf3"]);
  await resign(swapped.black.page);
  await ended(swapped.black.page, /resigned$/u);
  return match;
}

/** The page of the one who lost both, with the search open, after both games. */
export async function atSearchOn(server: TestServer): Promise<Page> {
  const { page } = (await twoGamesOn(server)).white;
  await page.getByRole("link", { name: "Zeitnot" }).click();
  await page.getByRole("link", { name: "All your games" }).click();
  await page.getByRole("heading", { name: "Finished games" }).waitFor();
  await found(page, 2);
  await page.getByRole("button", { name: "Filters" }).click();
  return page;
}

export async function accountOf(page: Page): Promise<string> {
  const me = await page.evaluate(async () => (await (await fetch("/api/me")).json()) as { account: string });
  return me.account;
}
