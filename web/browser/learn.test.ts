/** Learning from the mistakes of a finished game whose evaluations are given: by mouse, by keyboard, by touch, and as a visitor. */
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isClean } from "./axe";
import { announces, drag, ended, playOut, resign, sees, square, startGame, touch } from "./steps";
import { type Person, type TestServer, startTestServer } from "./testServer";
import { bestLines, evaluationChart, here, isInWindow, knowsMoves, openTab, tree } from "./analysisSteps";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Of the positions of 1. f3 e5 2. g4, and after other moves of White. */
const SCORES = [20, -200, -180, -320];
const TRIED: Readonly<Record<string, number>> = { e2e4: 30, h2h4: -250 };

const lesson = (page: Page) => page.getByRole("region", { name: "Learn from mistakes" });
const said = (page: Page, words: string | RegExp) => lesson(page).getByText(words).first().waitFor();
const way = (page: Page, name: string) => lesson(page).getByRole("button", { name });
const start = (page: Page) => page.getByRole("button", { name: "Learn from your mistakes (2)" });

/**
 * White's analysis of 1. f3 e5 2. g4, or a visitor's, all of whose positions are known, but for the first one while it is held:
 * a3 is best in each.
 */
async function analysed(
  options: BrowserContextOptions = {},
  visitor: Person | null = null,
  isHeld = (): boolean => false,
): Promise<Page> {
  const match = await startGame(server, {}, { white: options });
  await playOut(match, ["f3", "e5", "g4"]);
  await resign(match.white.page);
  await ended(match.white.page, /resigned$/u);
  const { page, url } = visitor ?? match.white;
  const best = [{ uci: "a2a3", san: "a3" }];
  await page.route("**/evaluation?ply=*", (route) => {
    const query = new URL(route.request().url()).searchParams;
    const [ply, tried] = [Number(query.get("ply")), query.get("moves")];
    if (ply === 0 && isHeld()) return route.fulfill({ status: 429, headers: { "retry-after": "1" }, json: {} });
    const centipawns = tried === null ? SCORES[ply] : TRIED[tried];
    const one = { game: match.path.slice(1), ply, fen: "", centipawns, mate: null, depth: 12, line: best };
    return route.fulfill({ json: one });
  });
  await page.route("**/lines?ply=*", (route) =>
    route.fulfill({ json: { lines: [{ centipawns: 0, mate: null, depth: 16, moves: best }] } }),
  );
  await page.goto(`${url}/analysis${match.path}?ply=${isHeld() ? 2 : 0}`);
  await page.getByRole("button", { name: "Analyse the whole game" }).click();
  if (isHeld()) await page.getByRole("progressbar", { name: "3 of 4 positions" }).waitFor();
  else await page.getByRole("button", { name: "Next mistake" }).waitFor();
  // So they are in the lesson, which begins with the same position.
  await knowsMoves(page);
  // Beside the board or, on a phone, under its tab.
  await openTab(page, "Mistakes");
  await evaluationChart(page).waitFor();
  return page;
}

test("by mouse: a worse move is taken back, a good one is enough, the best one is shown, and the found ones are counted", async () => {
  const page = await analysed();
  const [button, chart] = [await start(page).boundingBox(), await evaluationChart(page).boundingBox()];
  expect((button?.y ?? 0) + (button?.height ?? 0), "above the chart").toBeLessThanOrEqual(chart?.y ?? 0);
  await start(page).click();
  await said(page, /^You played 1\. f3/u);
  await said(page, "Find a better move for White.");
  await said(page, "1 of 2");
  const tells = page.locator(".evaluation-bar, .evaluation-chart, .tree, .mistake-mark, .drawings");
  expect([await tells.count(), await bestLines(page).count()], "nothing gives it away").toEqual([0, 0]);
  await isClean(page, "a lesson");

  await square(page, "h2").click();
  await drag(page, "h2", "h4");
  await said(page, "Not yet: 1. h4 (Black is better by 2.5) is answered by 1… a3. Try again.");
  await sees(page, "h2", "wp");
  expect(
    await page.locator(".drawings path").evaluateAll((all) => all.map((one) => one.getAttribute("class"))),
  ).toEqual(["arrow red", "arrow blue"]);
  await isClean(page, "a lesson with a wrong move");
  await drag(page, "e2", "e4");
  await said(
    page,
    "Good enough: 1. e4 (White is better by 0.3). The computer preferred 1. a3 (White is better by 0.2).",
  );
  await sees(page, "e4", "wp");
  await isClean(page, "a lesson with a move that is good enough");

  await way(page, "Next").click();
  await said(page, /^You played 2\. g4/u);
  await sees(page, "f3", "wp");
  await way(page, "Show the move").click();
  await said(page, "The computer preferred 2. a3 (Black is better by 1.8).");
  await sees(page, "a3", "wp");
  await way(page, "Next").click();
  await said(page, "Done: 1 of 2 found");
  await way(page, "Begin again").click();
  await said(page, "1 of 2");
  await way(page, "Stop").click();
  await evaluationChart(page).waitFor();
  await expect.poll(() => here(page).innerText()).toContain("f3");
});

test("it begins with the first mistake that is found, from the end of the game on, and grows while the others are looked for", async () => {
  let isHeld = true;
  const page = await analysed({}, null, () => isHeld);
  await page.getByRole("button", { name: "Learn from your mistakes (1)" }).click();
  await said(page, /^You played 2\. g4/u);
  await said(page, "1 of 1 so far");
  await way(page, "Show the move").click();
  await way(page, "Next").click();
  await said(page, "0 of 1 found so far");
  await said(page, "More mistakes may turn up: the game is still being analysed.");
  await announces(page, "0 of 1 found so far. More mistakes may turn up: the game is still being analysed.");
  const next = way(page, "Next");
  expect(await next.getAttribute("aria-disabled")).toBe("true");
  await isClean(page, "a lesson that waits for more mistakes");
  const place = await next.boundingBox();
  isHeld = false;
  await said(page, "There is another mistake.");
  await announces(page, "There is another mistake.");
  expect(await next.boundingBox(), "nothing moves").toEqual(place);
  await next.click();
  await said(page, /^You played 1\. f3/u);
  await lesson(page).getByText("2 of 2", { exact: true }).waitFor();
  // Nothing can be moved until the server has said what is legal there.
  const moved = async () => {
    await drag(page, "a2", "a3");
    return lesson(page).innerText();
  };
  await expect.poll(moved).toMatch(/Right: 1\. a3/u);
  await next.click();
  await said(page, "Done: 1 of 2 found");
  await way(page, "Begin again").waitFor();
});

test("by keyboard: one hears each step, types moves, and Escape leads back and forth", {
  tags: "nightly",
}, async () => {
  const page = await analysed();
  const focused = (name: string) =>
    expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(name);
  await start(page).press("Enter");
  await focused("Learn from mistakes");
  await announces(page, /^1 of 2\. You played f3, .+\. Find a better move for White\.$/u);
  for (const name of ["Stop", "Show the move", "Next"]) {
    await page.keyboard.press("Tab");
    await focused(name);
  }
  await page.keyboard.press("Tab");
  await page.keyboard.type("f3");
  await page.keyboard.press("Enter");
  await announces(page, "Not yet: f3, Black is better by 2.0, is answered by a3. Try again.");
  // A piece that is picked up is put down first.
  await square(page, "a2").focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => square(page, "a2").getAttribute("aria-selected")).toBe("true");
  await page.keyboard.press("Escape");
  await expect.poll(() => square(page, "a2").getAttribute("aria-selected")).toBe("false");
  expect(await lesson(page).count()).toBe(1);
  await lesson(page).getByRole("textbox").focus();
  await page.keyboard.type("a3");
  await page.keyboard.press("Enter");
  await announces(page, "Right: a3, White is better by 0.2; in the game: Black is better by 2.0.");
  await focused("Next");
  await page.keyboard.press("Enter");
  await announces(page, /^2 of 2\. You played g4/u);
  await focused("Next");

  await page.keyboard.press("Escape");
  await focused("Learn from your mistakes (2)");
  await expect.poll(() => here(page).innerText()).toContain("g4");
  await page.keyboard.press("Enter");
  await announces(page, /^2 of 2\. You played g4/u);
  await page.keyboard.press("Escape");
  await lesson(page).waitFor({ state: "detached" });
  await tree(page).waitFor();
});

test("by touch: board and buttons are in the first screen of a phone, and the buttons keep their places", {
  tags: "nightly",
}, async () => {
  const page = await analysed({ viewport: { width: 390, height: 740 }, hasTouch: true, isMobile: true });
  expect(await isInWindow(page, ".learn-start"), "with the board").toBe(true);
  await start(page).tap();
  await said(page, "Find a better move for White.");
  for (const [width, height] of [
    [390, 740],
    [320, 568],
    [667, 375],
  ] as const) {
    await page.setViewportSize({ width, height });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `at ${width}x${height}`).toBe(width);
    for (const name of ["Stop", "Show the move", "Next"]) {
      const box = await way(page, name).boundingBox();
      if (!box) throw new Error(`${name} is on the page`);
      expect(box.y + box.height, `${name} at ${width}x${height}`).toBeLessThanOrEqual(height);
      expect(Math.min(box.width, box.height), `${name} at ${width}x${height}`).toBeGreaterThanOrEqual(44);
    }
  }
  await page.setViewportSize({ width: 390, height: 740 });
  const before = await way(page, "Next").boundingBox();
  await touch(page, "e2", "e4");
  await said(
    page,
    "Good enough: 1. e4 (White is better by 0.3). The computer preferred 1. a3 (White is better by 0.2).",
  );
  expect((await way(page, "Next").boundingBox())?.y).toBe(before?.y);
  await way(page, "Next").tap();
  await said(page, "2 of 2");
});

test("a visitor learns from either side's mistakes, and from none where there are none", {
  tags: "nightly",
}, async () => {
  const page = await analysed({}, await server.person());
  const white = page.getByRole("button", { name: "Learn from mistakes: White 2", exact: true });
  await page.locator(".learn-start .quiet").getByText("Black 0", { exact: true }).waitFor();
  expect(await page.locator(".learn-start button").count(), "none for Black").toBe(1);
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 740 });
    await openTab(page, "Mistakes");
    expect((await white.boundingBox())?.height, "one line").toBe(44);
  }
  await white.click();
  await said(page, /^White played 1\. f3/u);
});
