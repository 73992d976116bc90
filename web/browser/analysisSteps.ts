/** What people do and see at the analysis board. */
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { board, ended, playOut, resign, startGame } from "./steps";
import type { TestServer } from "./testServer";

export const tree = (page: Page) => page.getByRole("region", { name: "Moves", exact: true });
export const here = (page: Page) => tree(page).locator("[aria-current]");
export const bestLines = (page: Page) => page.getByRole("list", { name: "The best moves" }).getByRole("button");
export const evaluationChart = (page: Page) => page.getByRole("img", { name: "Evaluation by move, and the mistakes" });
/** Where the parts beside the board begin, once the explorer has its answer. */
export async function places(page: Page): Promise<string[]> {
  await page.locator(".explorer").getByText("Asking the server").waitFor({ state: "detached" });
  return page
    .locator(".strip > *, .panels > :not(.strip, .about), .about > *")
    .evaluateAll((all) => all.map((one) => `${one.className} ${Math.round(one.getBoundingClientRect().top)}`));
}
/** How many rows of the list of moves are in sight beside a wide board. */
export const rowsInSight = (page: Page) => tree(page).evaluate((list) => list.clientHeight / 35.2);
/** What the rules say, once they were asked about the position shown. */
export const facts = (page: Page) =>
  page.getByRole("region", { name: "Position" }).and(page.locator('[aria-busy="false"]'));

/** Whether all of what a selector finds is within the window. */
export const isInWindow = (page: Page, selector: string) =>
  page.locator(selector).evaluate((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    return Math.min(left, top) > -1 && right < clientWidth + 1 && bottom < clientHeight + 1;
  });

export const tab = (page: Page, name: string) => page.getByRole("tab", { name, exact: true });

/** Opens a tab on a phone that is held upright; in other windows there are none, and what it would have is there. */
export async function openTab(page: Page, name: string): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  if (width > 640 || height < 480 || height < width) return;
  await tab(page, name).click();
  await page.getByRole("tabpanel", { name, exact: true }).waitFor();
}

export async function typeMove(page: Page, move: string): Promise<void> {
  const line = page.getByRole("textbox", { name: "Type a move" });
  await line.fill(move);
  await line.press("Enter");
  await expect.poll(() => line.inputValue()).toBe("");
}

/** Waits until the legal moves of the position shown are known. */
export async function knows(page: Page, side: string): Promise<void> {
  await facts(page).getByText(`${side} to move`).waitFor();
}

/** Waits until the server has said what is legal in the position shown, of a game whose end it may be. */
export async function knowsMoves(page: Page): Promise<void> {
  await page.locator('.facts[aria-busy="false"]').waitFor();
}

/** All that the live region says from now on. */
export async function listen(page: Page): Promise<() => Promise<string[]>> {
  const region = page.locator("#announcements");
  await region.evaluate((element) => {
    element.dataset.said = "[]";
    const add = (): void => {
      const said = JSON.parse(element.dataset.said ?? "[]") as string[];
      element.dataset.said = JSON.stringify([...said, element.textContent]);
    };
    new MutationObserver(add).observe(element, { childList: true });
  });
  return async () => JSON.parse((await region.getAttribute("data-said")) ?? "[]") as string[];
}

/** Opens the list of what goes out, and presses an entry. */
export async function takeOut(page: Page, what: string): Promise<void> {
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("button", { name: what }).click();
}

export async function copied(page: Page, what: string): Promise<string> {
  await page.evaluate(() => navigator.clipboard.writeText(""));
  const said = await listen(page);
  await takeOut(page, what);
  const read = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(read).not.toBe("");
  // The list covers what one presses next.
  const button = page.getByRole("button", { name: "More", exact: true, expanded: false });
  await expect.poll(() => button.evaluate((one) => one === document.activeElement)).toBe(true);
  // An evaluation that comes just then is said after it.
  await expect.poll(said).toContain("Copied");
  return await read();
}

export async function paste(page: Page, text: string): Promise<void> {
  const box = page.getByRole("textbox", { name: "Paste a FEN or a PGN" });
  if (!(await box.isVisible())) {
    await openTab(page, "Position");
    await page.getByText("Load a FEN or a PGN").click();
  }
  await box.fill(text);
  await page.getByRole("button", { name: "Load", exact: true }).click();
}

/** Looks whether a button is in the first screen of phones, together with the board, and as high as a finger needs. */
export async function inFirstScreen(button: Locator): Promise<void> {
  const page = button.page();
  for (const [width, height] of [
    [360, 740],
    [390, 664],
    [375, 553],
    [320, 568],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => window.scrollTo(0, 0));
    const [box, grid] = [await button.boundingBox(), await board(page).boundingBox()];
    if (!box || !grid) throw new Error("both are on the page");
    const at = `${await button.textContent()} at ${width}x${height}`;
    expect(box.y + box.height, at).toBeLessThanOrEqual(height);
    expect(box.y, at).toBeGreaterThan(grid.y + grid.height);
    expect(Math.min(box.width, box.height), at).toBeGreaterThanOrEqual(44);
  }
}

/** A person at the free board, whose legal moves are known. */
export async function atBoard(server: TestServer, options = {}, query = "") {
  const person = await server.person(options);
  await person.page.goto(`${person.url}/analysis${query}`);
  await facts(person.page)
    .getByText(/to move|wins|Draw/u)
    .waitFor();
  return person;
}

/** After each ply, for White. */
const SCORES = [20, -200, -180, -270];

/** The analysis of 1. f3 e5 2. g4, all of whose positions are known; of each the best lines are worth nothing. */
export async function analysed(server: TestServer): Promise<Page> {
  const match = await startGame(server);
  await playOut(match, ["f3", "e5", "g4"]);
  await resign(match.white.page);
  const { page, url } = match.white;
  await ended(page, /resigned$/u);
  const best = [{ uci: "a2a3", san: "a3" }];
  await page.route("**/evaluation?ply=*", (route) => {
    const ply = Number(new URL(route.request().url()).searchParams.get("ply"));
    const one = { game: match.path.slice(1), ply, fen: "", centipawns: SCORES[ply], mate: null, depth: 12, line: best };
    return route.fulfill({ json: one });
  });
  await page.route("**/lines?ply=*", (route) =>
    route.fulfill({ json: { lines: [{ centipawns: 0, mate: null, depth: 16, moves: best }] } }),
  );
  await page.goto(`${url}/analysis${match.path}?ply=0`);
  await page.getByRole("button", { name: "Analyse the whole game" }).click();
  await page.getByRole("button", { name: "Next mistake" }).waitFor();
  await evaluationChart(page).waitFor();
  return page;
}
