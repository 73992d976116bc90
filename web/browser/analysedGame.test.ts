/** A finished game whose evaluations are given: its marks, what they cost, and what is said beside them. */
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { isClean } from "./axe";
import { ended, playOut, resign, sees, square, startGame } from "./steps";
import { type TestServer, startTestServer } from "./testServer";
import {
  analysed,
  bestLines,
  evaluationChart,
  here,
  knowsMoves,
  openTab,
  places,
  tree,
  typeMove,
} from "./analysisSteps";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test("a game is analysed whole from its card alone, which leads to one's own first mistake; others see it without asking", async () => {
  const match = await startGame(server);
  await playOut(match, ["f3", "e5", "g4", "Qh4#"]);
  const { page, url } = match.white;
  const other = match.black.page;
  await ended(page, "Checkmate");
  await other.goto(`${url}/analysis${match.path}`);
  await other.getByRole("button", { name: "Analyse the whole game" }).waitFor();
  await page.locator(".status.result").getByRole("link", { name: "Analyse" }).click();
  await page.getByRole("heading", { name: /^Analysis: Guest-/u }).waitFor({ state: "attached" });
  expect(page.url()).toBe(`${url}/analysis${match.path}`);
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("content");
  await page.getByRole("button", { name: "Next mistake" }).waitFor();
  await expect.poll(() => here(page).innerText()).toMatch(/f3|g4/u);
  await page.locator(".notice").getByText("This is your first mistake.", { exact: false }).waitFor();
  await other.route(/\/evaluation\?/u, (route) => route.abort());
  await other.evaluate(() => localStorage.clear());
  await other.goto(`${url}/analysis${match.path}?ply=0`);
  await other.getByRole("button", { name: "Next mistake" }).waitFor();
  await evaluationChart(other).waitFor();
});

/** The analysis that the card of 1. f3 e5 2. g4 has begun, without the first position until it is let go. */
async function nearlyAnalysed() {
  const match = await startGame(server);
  await playOut(match, ["f3", "e5", "g4"]);
  await resign(match.white.page);
  const { page, url } = match.white;
  await ended(page, /resigned$/u);
  let isHeld = true;
  await page.route("**/evaluation?ply=*", (route) => {
    const ply = Number(new URL(route.request().url()).searchParams.get("ply"));
    if (isHeld && ply === 0) return route.fulfill({ status: 429, headers: { "retry-after": "1" }, json: {} });
    const worth = { centipawns: [20, -200, -180, -270][ply], mate: null, depth: 12 };
    const line = [{ uci: "a2a3", san: "a3" }];
    return route.fulfill({ json: { game: match.path.slice(1), ply, fen: "", ...worth, line } });
  });
  await page.locator(".status.result").getByRole("link", { name: "Analyse" }).click();
  const waits = () => page.getByRole("progressbar", { name: "3 of 4 positions" }).waitFor();
  await waits();
  const letGo = (): void => {
    isHeld = false;
  };
  return { page, address: `${url}/analysis${match.path}?ply=2`, waits, letGo };
}

test("an analysis that was left goes on by itself, and leads nowhere", { tags: "nightly" }, async () => {
  const { page, address, waits, letGo } = await nearlyAnalysed();
  await page.goto(address);
  await waits();
  letGo();
  await page.getByRole("button", { name: "Next mistake" }).waitFor();
  expect(await here(page).innerText()).toContain("e5");
});

test("until the whole game is known it is said that accuracy and loss are those of a part of it", {
  tags: "nightly",
}, async () => {
  const { page, letGo } = await nearlyAnalysed();
  const table = page.locator(".mistake-table");
  const white = table.getByRole("row", { name: /^White/u }).getByRole("cell");
  const reckoned = async () => (await white.allInnerTexts()).slice(-2);
  await table.getByRole("columnheader", { name: "accuracy so far" }).waitFor();
  expect(await table.locator("thead td").innerText(), "for the eye").toBe("so far");
  const before = await reckoned();
  expect(before, "after 2. g4 alone").toEqual([expect.stringMatching(/^\d\d%$/u), "0.90"]);
  const { height } = (await table.boundingBox()) ?? {};
  letGo();
  await table.getByRole("columnheader", { name: "accuracy", exact: true }).waitFor();
  expect(await table.locator("thead td").innerText()).toBe("");
  expect(await reckoned(), "with 1. f3").not.toEqual(before);
  expect((await table.boundingBox())?.height, "nothing below it moves").toBe(height);
});

test("the button that began the analysis of the whole game keeps the focus, and leads to the next mistake after it", async () => {
  const page = await analysed(server);
  const focused = page.locator(".whole-game button:focus");
  expect(await focused.innerText(), "the button that was pressed").toBe("Next mistake");
  await page.keyboard.press("m");
  await expect.poll(() => here(page).innerText()).toContain("f3");
  expect(await focused.getAttribute("aria-disabled"), "there is another one").toBe("false");
});

test("the chart of a long game has its shape from a few positions, by which no mistake is marked", {
  tags: "nightly",
}, async () => {
  const famous = await startTestServer({ famous: true });
  onTestFinished(() => famous.close());
  const { page, url } = await famous.person();
  const answer = await page.request.get(`${url}/api/games`);
  const { games } = (await answer.json()) as { games: { game: string; ply_count: number }[] };
  const game = games.find((one) => one.ply_count === 47)?.game ?? "";
  const asked: number[] = [];
  let letGo = (): void => undefined;
  const isHeld = new Promise<void>((release) => {
    letGo = release;
  });
  await page.route("**/lines?ply=*", (route) => route.fulfill({ json: { lines: [] } }));
  await page.route("**/evaluation?ply=*", async (route) => {
    const ply = Number(new URL(route.request().url()).searchParams.get("ply"));
    asked.push(ply);
    if (asked.length > 14) await isHeld;
    // Every fourth one is worth something else than the ones around it.
    const worth = { centipawns: ply % 4 === 3 ? 400 : 0, mate: null, depth: 12 };
    await route.fulfill({ json: { game, ply, fen: "", ...worth, line: [{ uci: "a2a3", san: "a3" }] } });
  });
  await page.goto(`${url}/analysis/${game}?ply=0`);
  await page.getByRole("button", { name: "Analyse the whole game" }).waitFor();
  await expect.poll(() => asked).toEqual([0]);
  await page.getByRole("button", { name: "Analyse the whole game" }).click();
  await page.getByRole("progressbar", { name: "13 of 48 positions" }).waitFor();
  expect(asked.slice(1, 13)).toEqual([47, 43, 39, 35, 31, 27, 23, 20, 16, 12, 8, 4]);
  expect(await evaluationChart(page).locator(".scores").count(), "one line over the whole game").toBe(1);
  expect(await page.locator(".mark-shape").count(), "no mistake yet").toBe(
    await page.locator("th .mark-shape").count(),
  );
  letGo();
});

test("whoever has done something while a game was analysed stays where they are", { tags: "nightly" }, async () => {
  const { page, letGo } = await nearlyAnalysed();
  await page.keyboard.press("Shift");
  letGo();
  await page.getByRole("button", { name: "Next mistake" }).waitFor();
  expect(await here(page).innerText()).toContain("g4");
});

test("the shape of a mistake is whole at the last ply too, whose place leads there", { tags: "nightly" }, async () => {
  const page = await analysed(server);
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 740 });
    await openTab(page, "Mistakes");
    const chart = await evaluationChart(page).boundingBox();
    const shapes = page.locator(".evaluation-chart .mark-shape");
    expect(await shapes.count(), "f3 and g4").toBe(2);
    const last = await shapes.last().locator(".around").boundingBox();
    const right = (last?.x ?? 0) + (last?.width ?? 0);
    expect(right, `at ${width}`).toBeLessThanOrEqual((chart?.x ?? 0) + (chart?.width ?? 0));
    await evaluationChart(page).click({ position: { x: (chart?.width ?? 0) - 2, y: 5 } });
    await openTab(page, "Moves");
    await expect.poll(() => here(page).innerText()).toContain("g4");
    await page.keyboard.press("Home");
  }
});

test("an analysed game fits the narrow windows of phones, turned too", { tags: "nightly" }, async () => {
  const page = await analysed(server);
  for (const [width, height] of [
    [320, 568],
    [568, 320],
    [667, 375],
  ] as const) {
    await page.setViewportSize({ width, height });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `at ${width}x${height}`).toBe(width);
  }
});

test("each kind of mistake has a colour of its own, after a move as in the chart, which can be read", {
  tags: "nightly",
}, async () => {
  const page = await analysed(server);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const colors = (selector: string, property: string) =>
      page
        .locator(selector)
        .evaluateAll((all, one) => all.map((mark) => getComputedStyle(mark).getPropertyValue(one)), property);
    const written = await colors(".mistake-table .mistake-mark", "color");
    expect([written.length, new Set(written).size], colorScheme).toEqual([3, 3]);
    expect(await colors(".mistake-table .mark-shape .inside", "stroke")).toEqual(written);
    expect(await colors(".tree .mistake-mark", "color"), "?? and ?!").toEqual([written[2], written[0]]);
    await page.keyboard.press("End");
    await isClean(page, `marks in a ${colorScheme} page`);
  }
});

test("beside a player the name is whole on a phone: the rating makes room for it", { tags: "nightly" }, async () => {
  const page = await analysed(server);
  const name = page.locator(".player .name").first();
  // As a rating stands beside a name, and longer than any.
  await name.evaluate((one) => {
    one.insertAdjacentHTML("beforeend", '<span class="player-rating"> stronger than anybody else here</span>');
    one.insertAdjacentHTML("afterend", '<span class="material"><span>+13</span></span>');
  });
  for (const width of [390, 320, 1440]) {
    await page.setViewportSize({ width, height: 740 });
    const link = name.locator(":scope > :first-child");
    expect(await link.evaluate((one) => one.scrollWidth <= one.clientWidth), `the name at ${width}`).toBe(true);
    const [box, rating] = [await name.boundingBox(), await name.locator(".player-rating").boundingBox()];
    const isInSight = (rating?.y ?? 0) < (box?.y ?? 0) + (box?.height ?? 0);
    expect(isInSight, `the rating at ${width}`).toBe(width === 1440);
  }
});

test("a mark says how deep its analysis went where a deeper search has found another score", {
  tags: "nightly",
}, async () => {
  const page = await analysed(server);
  await page.keyboard.press("m");
  const evaluation = page.getByRole("region", { name: "Evaluation" });
  await evaluation.getByText("+0.2 → −2.0").waitFor();
  await evaluation.getByText("depth 16").waitFor();
  await evaluation.getByText("best was a3 (depth 12)").first().waitFor();
  const arrow = page.locator(".drawings .arrow.green");
  expect(await arrow.count(), "the missed move on the board").toBe(1);
  const fills = await Promise.all(
    [arrow, page.locator(".arrow-key path")].map((one) => one.evaluate((path) => getComputedStyle(path).fill)),
  );
  expect(fills[0], "as beside its name").toBe(fills[1]);
  await page.setViewportSize({ width: 320, height: 568 });
  const line = page.locator(".move-now > .cell-button");
  expect(await line.evaluate((one) => one.scrollWidth <= one.clientWidth), "is not cut on a small phone").toBe(true);
});

test("a line that is searched for is an outline, fewer lines fill the room of three, and each ends after a whole move", {
  tags: "nightly",
}, async () => {
  const page = await analysed(server);
  await bestLines(page).first().waitFor();
  let answer = (): void => {};
  const isFound = new Promise<void>((found) => {
    answer = found;
  });
  const moves = Array.from({ length: 24 }, (_, at) => (at % 2 ? ["g8f6", "Ngf6+"] : ["g1f3", "Ngf3+"]));
  await page.route("**/lines?ply=2", async (route) => {
    await isFound;
    const line = moves.map(([uci, san]) => ({ uci, san }));
    await route.fulfill({ json: { lines: [{ centipawns: null, mate: 12, depth: 16, moves: line }] } });
  });
  const awaited = page.locator(".best-lines .awaited");
  await page.keyboard.press("Home");
  await bestLines(page).first().waitFor();
  await expect.poll(() => awaited.count()).toBe(0);
  const before = await places(page);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => awaited.count(), { message: "beside the line that is known" }).toBe(2);
  expect(await places(page)).toEqual(before);
  await isClean(page, "lines that are searched for");
  answer();
  await expect.poll(() => awaited.count()).toBe(0);
  expect([await bestLines(page).count(), await places(page)]).toEqual([1, before]);
  const [line, list] = [await bestLines(page).first().boundingBox(), await page.locator(".best-lines").boundingBox()];
  expect(line?.height, "the one line has the room of three").toBeGreaterThan((list?.height ?? 0) - 2);
  for (const width of [390, 1024, 1440]) {
    await page.setViewportSize({ width, height: 740 });
    const cut = await page.locator(".line-moves").evaluate((box) => {
      const room = box.getBoundingClientRect();
      const isCut = ({ right, bottom, top }: DOMRect) =>
        top < room.bottom - 1 && (right > room.right + 1 || bottom > room.bottom + 3);
      const words = [...box.children].map((move) => [...move.getClientRects()]);
      return { of: words.length, cut: words.filter((rows) => rows.length > 1 || rows.some(isCut)).length };
    });
    expect(cut, `moves that are cut at ${width}`).toEqual({ of: moves.length, cut: 0 });
    const end = await page.locator(".line-moves").evaluate((box) => {
      const room = box.getBoundingClientRect();
      const row = [...box.children]
        .map((move) => move.getBoundingClientRect())
        .filter(({ top }) => top < room.bottom - 1);
      return {
        mark: getComputedStyle(box).hyphenateCharacter,
        room: room.right - Math.max(...row.map((one) => one.right)),
      };
    });
    expect(end.mark, "that it goes on").toContain("…");
    expect(end.room, `room for that at ${width}`).toBeGreaterThan(8);
  }
});

test("what is added to a line of the computer stands below it, as a side line of one's own", {
  tags: "nightly",
}, async () => {
  const page = await analysed(server);
  await page.keyboard.press("m");
  await page.getByRole("button", { name: /^best was a3/u }).click();
  const shown = tree(page).getByRole("group", { name: "Computer’s line" });
  await shown.getByText("a3", { exact: true }).first().waitFor();
  await knowsMoves(page);
  await typeMove(page, "d5");
  const own = shown.getByRole("group", { name: "Side line" });
  await own.getByText("d5", { exact: true }).first().waitFor();
  expect([await shown.count(), await own.count()]).toEqual([1, 1]);
  expect(await own.innerText()).not.toContain("Computer");
});

test("at a checkmate it is said how the game ended, in the place of the best lines, and nothing moves", {
  tags: "nightly",
}, async () => {
  const match = await startGame(server);
  await playOut(match, ["f3", "e5", "g4", "Qh4#"]);
  const { page, url } = match.white;
  await ended(page, "Checkmate");
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${url}/analysis${match.path}?ply=3`);
  await bestLines(page).first().waitFor();
  const before = await places(page);
  await page.keyboard.press("End");
  const evaluation = page.getByRole("region", { name: "Evaluation" });
  await evaluation.getByText("Checkmate", { exact: true }).waitFor();
  // Each thing is said once: the score by the list of moves, the checkmate beside it.
  const score = page.locator(".panels [aria-hidden]").getByText(/0–1/u);
  expect(await score.allInnerTexts()).toEqual(["0–1"]);
  expect(await page.locator(".facts .standing").innerText()).toBe("");
  // One part alone is gone: whether each side can still mate.
  const rest = before.filter((one) => !/^share \d/u.test(one));
  expect([rest.length, await places(page)]).toEqual([before.length - 1, rest]);
  await isClean(page, "the end of a game in its analysis");
});

test("the name of an opening has room for two lines beside a wide board", { tags: "nightly" }, async () => {
  const page = await analysed(server);
  await page.setViewportSize({ width: 1440, height: 900 });
  const before = await places(page);
  const lines = await page.locator(".facts .opening").evaluate((one) => {
    one.textContent = "B77 Sicilian Defense: Dragon Variation, Yugoslav Attack, Main Line, Another Line";
    return one.getClientRects().length;
  });
  expect([lines, await places(page)]).toEqual([2, before]);
});

test("beside the chart each half has the disc of the side that is better there, beside the line", {
  tags: "nightly",
}, async () => {
  const page = await analysed(server);
  for (const width of [390, 320, 1440]) {
    await page.setViewportSize({ width, height: 740 });
    await openTab(page, "Mistakes");
    const [picture, white, black] = await Promise.all(
      [".evaluation-chart", ".chart-halves .white", ".chart-halves .black"].map((part) =>
        page.locator(part).boundingBox(),
      ),
    );
    const half = (picture?.y ?? 0) + (picture?.height ?? 0) / 2;
    const at = `at ${width}`;
    expect((white?.y ?? 0) + (white?.height ?? 0), `White above ${at}`).toBeLessThan(half);
    expect(black?.y, `Black below ${at}`).toBeGreaterThan(half);
    expect((white?.x ?? 0) + (white?.width ?? 0), `beside the picture ${at}`).toBeLessThanOrEqual(picture?.x ?? 0);
  }
});

test("beside a wide board the bar has the score at the end of the side that is better, and says nothing itself", {
  tags: "nightly",
}, async () => {
  const page = await analysed(server);
  await page.setViewportSize({ width: 1440, height: 900 });
  // Without deeper lines the scores are those of the analysis.
  await page.route("**/lines?ply=*", (route) => route.abort());
  const score = page.locator(".evaluation-bar .bar-score");
  for (const [key, worth, isBelow] of [
    ["Home", /^(?:\+0\.2|0\.0)$/u, true],
    ["End", /^−2\.7$/u, false],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => score.innerText()).toMatch(worth);
    const [bar, text] = [await page.locator(".evaluation-bar").boundingBox(), await score.boundingBox()];
    const middle = (bar?.y ?? 0) + (bar?.height ?? 0) / 2;
    expect((text?.y ?? 0) > middle, key).toBe(isBelow);
    expect(await score.evaluate((one) => one.scrollWidth <= one.clientWidth), "within the bar").toBe(true);
  }
  expect(await page.locator(".evaluation-bar").getAttribute("aria-hidden")).toBe("true");
  await isClean(page, "a bar with a score");
  await page.setViewportSize({ width: 390, height: 740 });
  expect(await score.isVisible(), "no room on a phone").toBe(false);
});

test("beside a wide board the ways to the mistakes are written out, in buttons that hold them", {
  tags: "nightly",
}, async () => {
  const page = await analysed(server);
  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const name of ["Previous mistake", "Next mistake"]) {
      const button = page.getByRole("button", { name, exact: true });
      expect((await button.getByText(name, { exact: true }).boundingBox())?.width, name).toBeGreaterThan(30);
      const isHeld = await button.evaluate((one) => one.scrollWidth <= one.clientWidth);
      expect(isHeld, `${name} at ${width}`).toBe(true);
    }
  }
});

test("what one has begun on the board stays while an evaluation arrives", async () => {
  const match = await startGame(server);
  await playOut(match, ["e4", "e5"]);
  await resign(match.white.page);
  const { page, url } = await server.person();
  let answer: () => void = () => undefined;
  const asked = new Promise<void>((done) => {
    answer = done;
  });
  await page.route("**/evaluation?ply=*", async (route) => {
    await asked;
    await route.fulfill({ json: { ply: 2, fen: "", centipawns: 33, mate: null, depth: 9, line: [] } });
  });
  await page.route("**/lines?ply=*", (route) => route.fulfill({ json: { lines: [] } }));
  await page.goto(`${url}/analysis${match.path}`);
  await knowsMoves(page);
  await square(page, "g1").click();
  await page.locator("[aria-selected=true]").waitFor();
  answer();
  await page
    .getByRole("region", { name: "Evaluation" })
    .getByText(/^depth 9/u)
    .waitFor();
  await square(page, "f3").click();
  await sees(page, "f3", "wn");
});
