/** The analysis board, of a finished game and free: moves, side lines, the rules' answers, the evaluation, its PGN. */
import type { Locator } from "playwright-core";
import type { BestLines } from "#protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isClean } from "./axe";
import { LOW_WINDOWS } from "./covering";
import { announces, board, click, drag, drawn, ended, playOut, resign, sees, startGame } from "./steps";
import { type TestServer, startTestServer } from "./testServer";
import {
  atBoard,
  bestLines,
  copied,
  evaluationChart,
  facts,
  here,
  inFirstScreen,
  knows,
  knowsMoves,
  listen,
  openTab,
  places,
  rowsInSight,
  takeOut,
  tree,
  typeMove,
} from "./analysisSteps";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe("a free board", () => {
  test("takes moves by drag, tap and typing, names them and their opening, and keeps side lines", async () => {
    const { page, errors } = await atBoard(server);
    await drag(page, "e2", "e4");
    await sees(page, "e4", "wp");
    await knows(page, "Black");
    await click(page, "e7", "e5");
    await knows(page, "White");
    await typeMove(page, "Nf3");
    await expect.poll(() => here(page).innerText()).toContain("Nf3");
    await announces(page, /King's Knight/u);
    await facts(page)
      .getByText(/^C40 King's Knight Opening/u)
      .waitFor();
    const said = await listen(page);
    await page.keyboard.press("ArrowLeft");
    await expect.poll(said).toEqual(["Black: e5. King's Pawn Game"]);
    await page.keyboard.press("ArrowLeft");
    await knows(page, "Black");
    await typeMove(page, "c5");
    await tree(page).getByRole("group", { name: "Side line" }).getByText("c5", { exact: true }).first().waitFor();
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => here(page).innerText()).toContain("e5");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => here(page).innerText()).toContain("c5");
    await isClean(page, "the analysis board");
    const promote = page.getByRole("button", { name: "Promote variation" });
    await page.keyboard.press("ArrowUp");
    await promote.waitFor({ state: "detached" });
    await page.keyboard.press("ArrowDown");
    await promote.click();
    await tree(page).getByRole("group", { name: "Side line" }).getByText("e5", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Delete from here" }).click();
    await tree(page).getByRole("group", { name: "Side line" }).waitFor({ state: "detached" });
    await page.keyboard.press("Home");
    await announces(page, "First position");
    expect(await page.locator(".tree-actions").count(), "nothing to change before the first move").toBe(0);
    await page.keyboard.press("f");
    await page.getByRole("grid", { name: "Chess board, Black at the bottom" }).waitFor();
    await page.keyboard.press("End");
    await sees(page, "f3", "wn");
    expect(errors).toEqual([]);
  });

  test("beside a wide board nothing moves when a first move comes, and with it what changes the tree", {
    tags: "nightly",
  }, async () => {
    const { page } = await atBoard(server);
    const before = await places(page);
    await typeMove(page, "e4");
    await page.getByRole("button", { name: "Delete from here" }).waitFor();
    await knows(page, "Black");
    expect(await places(page)).toEqual(before);
  });

  test("leads to the analysis of one's own last games, which the computer evaluates, or to those of everybody", {
    tags: "nightly",
  }, async () => {
    const match = await startGame(server);
    await playOut(match, ["e4", "e5"]);
    await resign(match.white.page);
    const { page, url } = match.black;
    await ended(page, /resigned$/u);
    await page.goto(`${url}/analysis`);
    const own = page.getByRole("region", { name: "Your last games" });
    const way = own.getByRole("link", { name: /^Analyse: against Guest-/u });
    await own.getByText("won", { exact: false }).waitFor();
    expect(await way.count()).toBe(1);
    await isClean(page, "the free board with one's own games");
    await page.setViewportSize({ width: 1440, height: 900 });
    await knows(page, "White");
    const before = await places(page);
    const explorer = await page.locator("section.explorer").boundingBox();
    expect(explorer?.y, "they have the room of the moves, so that the explorer stands high").toBeLessThan(300);
    await typeMove(page, "e4");
    await own.waitFor({ state: "detached" });
    expect(await places(page), "they make room for the moves, and nothing else moves").toEqual(before);
    await page.goto(`${url}/analysis`);
    await way.click();
    await tree(page).getByText("0–1 · White resigned").waitFor();
    expect(new URL(page.url()).pathname).toBe(`/analysis${match.path}`);
    const visitor = await atBoard(server);
    expect(await visitor.page.getByRole("region", { name: "Your last games" }).count(), "nobody's games").toBe(0);
    await visitor.page.getByRole("link", { name: "Choose a finished game" }).click();
    await expect.poll(() => new URL(visitor.page.url()).pathname).toBe("/games");
  });

  test("makes no move that the server does not know as legal", async () => {
    const { page } = await atBoard(server);
    await drag(page, "e2", "e5");
    await sees(page, "e2", "wp");
    const line = page.getByRole("textbox", { name: "Type a move" });
    await line.fill("Ke2");
    await line.press("Enter");
    await page.getByText("“Ke2” is not a legal move here.").first().waitFor();
    expect(await here(page).count()).toBe(0);
  });

  test("says who can still mate, why not, and shows how", async () => {
    const { page } = await atBoard(server, {}, `?fen=${encodeURIComponent("8/8/8/8/8/5k2/7q/5K2 w - - 0 1")}`);
    await page.locator("summary").getByText("Can each side still mate?").click();
    await page.getByText(/^Can White still mate\? No/u).waitFor();
    await page.getByText("The material left does not allow it.").waitFor();
    await page.getByRole("button", { name: "Can Black still mate? Show how" }).click();
    await expect.poll(() => here(page).count()).toBe(1);
    const shown = tree(page).getByRole("group", { name: "A way to mate" });
    await expect.poll(() => shown.locator(".ply").last().innerText()).toMatch(/^Q.*#/u);
    await page.keyboard.press("End");
    await facts(page).getByText("Black wins: Checkmate").waitFor();
    await announces(page, /Black wins: Checkmate/u);
    await isClean(page, "a mate on the analysis board");
  });

  test("promotes to what is chosen", async () => {
    const { page } = await atBoard(server, {}, `?fen=${encodeURIComponent("8/P6k/8/8/8/8/8/K7 w - - 0 1")}`);
    await drag(page, "a7", "a8");
    await page.getByRole("dialog", { name: "Promote to" }).getByRole("button", { name: "knight" }).click();
    await sees(page, "a8", "wn");
    await expect.poll(() => here(page).innerText()).toContain("a8=N");
  });
});

describe("a finished game", () => {
  test("is analysed: evaluation, times, side lines, and back to the game's moves", async () => {
    const match = await startGame(server);
    const { white } = match;
    const { page } = white;
    await playOut(match, ["e4", "e5", "Nf3", "Nc6", "Bc4", "Nd4"]);
    await resign(match.black.page);
    await ended(page, /resigned$/u);
    await page.goto(`${white.url}/analysis${match.path}`);
    await page.getByRole("heading", { name: /^Analysis: Guest-/u }).waitFor({ state: "attached" });
    const evaluation = page.getByRole("region", { name: "Evaluation" });
    await bestLines(page).first().waitFor();
    await announces(page, /better by|Even|mates in/u);
    const standing = page.locator(".facts .standing");
    await standing.getByText("The game ended here.").waitFor();
    await page.keyboard.press("ArrowLeft");
    await standing.getByText("Black to move").waitFor();
    await evaluation.getByText(/^depth \d+$/u).waitFor();
    // There is no chart before there is something to show in it.
    expect(await evaluationChart(page).count()).toBe(0);
    await isClean(page, "the analysis of a game");

    const took = tree(page).locator(".took");
    expect(await took.allInnerTexts(), "what each move took").toEqual(
      Array.from({ length: 6 }, () => expect.stringMatching(/^\d+\.\d$/u)),
    );
    await page.setViewportSize({ width: 390, height: 740 });
    expect(await took.first().isVisible(), "not in lines of moves").toBe(false);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByText("Times as a table").click();
    const cells = page.getByRole("table").getByRole("row").nth(3).getByRole("cell");
    await expect.poll(() => cells.nth(1).innerText()).toMatch(/^\d+\.\d s$/u);
    await cells.first().getByRole("button").click();
    await expect.poll(() => here(page).innerText()).toContain("Nf3");
    const chart = page.getByRole("img", { name: /^Time for each move/u });
    const box = await chart.boundingBox();
    await chart.click({ position: { x: (box?.width ?? 0) * 0.07, y: 10 } });
    await expect.poll(() => here(page).innerText()).toContain("e4");

    await knows(page, "Black");
    await typeMove(page, "c5");
    await evaluation.getByText(/^depth \d+$/u).waitFor();
    await bestLines(page).first().waitFor();
    expect(await page.locator(".evaluation-bar .for-black").count()).toBe(1);
    const remove = page.getByRole("button", { name: "Delete from here" });
    await remove.click();
    // What was played stays.
    await remove.waitFor({ state: "detached" });
    expect([...white.errors, ...match.black.errors]).toEqual([]);
    await page.reload();
    await expect.poll(() => here(page).innerText()).toContain("Nd4");
    const opening = page.locator(".facts .opening");
    await opening.getByText("Italian Game").waitFor();
    await page.getByRole("link", { name: "Go to the game" }).click();
    await ended(page, /resigned$/u);
    await page.goBack();
    await opening.getByText("Italian Game").waitFor();
    for (const [width, height] of LOW_WINDOWS.filter(([wide, high]) => wide > high)) {
      await page.setViewportSize({ width, height });
      const [name, player] = [await opening.boundingBox(), await page.locator(".player").last().boundingBox()];
      if (!name || !player) throw new Error("both are on the page");
      expect(name.y + name.height, `the opening's name at ${width}x${height}`).toBeLessThanOrEqual(player.y + 1);
    }
  });

  test("shows its result after its last move, and what one tries out from there as a side line", {
    tags: "nightly",
  }, async () => {
    const match = await startGame(server);
    await playOut(match, ["e4", "e5"]);
    await resign(match.white.page);
    const { page, url } = match.white;
    await ended(page, /resigned$/u);
    await page.goto(`${url}/analysis${match.path}`);
    const result = tree(page).getByText("0–1 · White resigned");
    await result.waitFor();
    await facts(page).getByText("The game ended here.").waitFor();
    await typeMove(page, "Nf3");
    const own = tree(page).getByRole("group", { name: "Side line" });
    await own.getByText("Nf3", { exact: true }).waitFor();
    expect(await own.getByRole("button").count()).toBe(1);
    const top = async (one: Locator) => (await one.boundingBox())?.y ?? 0;
    expect(await top(result)).toBeGreaterThan(await top(tree(page).getByRole("button", { name: "e5" })));
    expect(await top(own)).toBeGreaterThan(await top(result));
    await page.keyboard.press("Home");
    await page.keyboard.press("End");
    await expect.poll(() => here(page).innerText()).toContain("e5");
    await isClean(page, "moves after the end of a game");
    await page.reload();
    await own.getByText("Nf3", { exact: true }).click();
    await page.getByRole("button", { name: "Delete from here" }).click();
    await own.waitFor({ state: "detached" });
    await page.reload();
    await result.waitFor();
    expect(await own.count(), "what was deleted stays so").toBe(0);
  });

  test("says why moves of one's own are not evaluated during a game", async () => {
    const match = await startGame(server);
    await playOut(match, ["e4"]);
    await resign(match.white.page);
    await ended(match.white.page, /resigned$/u);
    const { page } = match.white;
    await page.route("**/evaluation?*moves=*", (route) =>
      route.fulfill({ status: 409, json: { code: "has_live_games", message: "" } }),
    );
    await page.goto(`${match.white.url}/analysis${match.path}`);
    await knowsMoves(page);
    await typeMove(page, "c5");
    const evaluation = page.getByRole("region", { name: "Evaluation" });
    await evaluation.getByText("You are playing a game.", { exact: false }).waitFor();
    await page.keyboard.press("ArrowLeft");
    await evaluation.getByText(/^depth \d+/u).waitFor();
  });

  test("makes a guest of a visitor whose own move is evaluated, and says so when the server makes none", {
    tags: "nightly",
  }, async () => {
    const match = await startGame(server);
    await playOut(match, ["e4"]);
    await resign(match.white.page);
    await ended(match.white.page, /resigned$/u);
    const visitor = await server.person();
    const { page } = visitor;
    let isFull = true;
    await page.route("**/api/guest", (route) =>
      isFull ? route.fulfill({ status: 429, json: { code: "too_many_guests", message: "" } }) : route.continue(),
    );
    await page.goto(`${visitor.url}/analysis${match.path}`);
    const evaluation = page.getByRole("region", { name: "Evaluation" });
    await bestLines(page).first().waitFor();
    await knowsMoves(page);
    await typeMove(page, "c5");
    await evaluation.getByText(/Too many new guests/u).waitFor();
    isFull = false;
    await page.keyboard.press("ArrowLeft");
    await bestLines(page).first().waitFor();
    await page.keyboard.press("ArrowRight");
    await evaluation.getByText(/^depth \d+/u).waitFor();
    expect(await here(page).innerText()).toContain("c5");
    expect((await page.request.get(`${visitor.url}/api/me`)).status()).toBe(200);
    expect(visitor.errors.filter((error) => !error.includes("429"))).toEqual([]);
  });

  test("shows the best lines, and keeps its panels where they are while one steps through it", {
    tags: "nightly",
  }, async () => {
    const match = await startGame(server);
    // Where a checkmate is near, the longer search soon ends too.
    await playOut(match, ["f3", "e5", "g4"]);
    await resign(match.white.page);
    const { page } = match.black;
    await ended(page, /resigned$/u);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${match.black.url}/analysis${match.path}`);
    await bestLines(page).first().waitFor();
    const before = await places(page);
    await expect.poll(() => bestLines(page).count()).toBe(3);
    expect(await places(page)).toEqual(before);
    await bestLines(page).first().getByText("Qh4#").waitFor();
    await isClean(page, "the best lines");
    for (const [width, height] of [
      [390, 740],
      [360, 740],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.evaluate(() => window.scrollTo(0, 0));
      await expect.poll(() => bestLines(page).count()).toBe(1);
      const at = `at ${width}x${height}`;
      const [moves, now, deeper] = await Promise.all(
        [tree(page), page.locator(".move-now"), page.getByRole("button", { name: "Deeper" })].map((one) =>
          one.boundingBox(),
        ),
      );
      expect(height - (moves?.y ?? height), `room for three lines of moves ${at}`).toBeGreaterThan(3 * 35.2);
      const isBelow = (now?.y ?? 0) > (moves?.y ?? 0);
      expect(isBelow, `what is said of the move, below them where there is no room ${at}`).toBe(width === 390);
      expect(deeper?.y, `and beside that the way to deeper lines ${at}`).toBeGreaterThan((now?.y ?? height) - 1);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    // Deeper lines are asked for once, by whoever wants them, and nothing moves for it. The search itself would take long here.
    let answer = (): void => {};
    const isFound = new Promise<void>((found) => {
      answer = found;
    });
    await page.route(/\/lines\/deeper\?ply=3$/u, async (route) => {
      const usual = await route.fetch({ url: route.request().url().replace("/deeper", "") });
      await isFound;
      const { lines, ...rest } = (await usual.json()) as BestLines;
      await route.fulfill({ json: { ...rest, lines: lines.map((line) => ({ ...line, depth: 41 })) } });
    });
    const deeper = page.getByRole("button", { name: "Deeper" });
    await deeper.click();
    await page.getByRole("button", { name: "searching deeper …" }).waitFor();
    expect(await places(page)).toEqual(before);
    answer();
    await page.getByRole("button", { name: "as deep as it goes" }).waitFor();
    await page.getByText("depth 41").waitFor();
    expect([await bestLines(page).count(), await deeper.count(), await places(page)]).toEqual([3, 0, before]);
    for (const key of ["ArrowLeft", "ArrowLeft", "Home"]) {
      await page.keyboard.press(key);
      expect(await places(page), key).toEqual(before);
      await bestLines(page).first().waitFor();
      expect(await places(page), key).toEqual(before);
    }
    await page.keyboard.press("End");
    await expect.poll(() => bestLines(page).count()).toBe(3);
    for (const [width, height] of [
      [390, 664],
      [360, 740],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.evaluate(() => window.scrollTo(0, 0));
      const box = async (one: Locator) => (await one.boundingBox()) ?? { y: height, width: 0, height };
      const grid = await box(board(page));
      const lines = await Promise.all((await bestLines(page).all()).map(box));
      const steps = await box(page.getByRole("group", { name: "Moves" }));
      const moves = await box(tree(page));
      const at = `at ${width}x${height}`;
      expect(grid.width, `the board ${at}`).toBeGreaterThan(0.9 * width);
      expect(lines[0]?.y, `the best lines ${at}`).toBeGreaterThan(grid.y + grid.height);
      expect(lines[0]?.height, `a finger's width of it ${at}`).toBeGreaterThan(42);
      const cost = await box(page.locator(width === 390 ? ".mistake-note" : ".move-now"));
      expect(steps.y, `the buttons that step, below what the mistake cost ${at}`).toBeGreaterThan(cost.y);
      expect(moves.y, `the moves, below them ${at}`).toBeGreaterThan(steps.y);
      expect(moves.y + 35.2, `and in sight ${at}`).toBeLessThanOrEqual(height);
    }
    // Where a phone has room for one line, the others can be unfolded, and no move of them is cut.
    await page.setViewportSize({ width: 390, height: 664 });
    const unfold = page.getByRole("button", { name: "All lines in full" });
    const size = await unfold.boundingBox();
    expect(Math.min(size?.width ?? 0, size?.height ?? 0)).toBeGreaterThanOrEqual(44);
    await unfold.click();
    await page.getByRole("button", { name: "All lines in full", expanded: true }).waitFor();
    expect(await bestLines(page).count()).toBe(3);
    const cut = await page
      .locator(".line-moves")
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth || one.clientHeight === 0).length);
    expect(cut).toBe(0);
    await isClean(page, "the best lines in full");
    await unfold.click();
    expect(await bestLines(page).count()).toBe(1);
    for (const [width, height] of LOW_WINDOWS) {
      await page.setViewportSize({ width, height });
      const grid = await board(page).boundingBox();
      const line = await bestLines(page).first().boundingBox();
      if (!grid || !line) throw new Error("both are on the page");
      const isClear = line.y > grid.y + grid.height || line.x > grid.x + grid.width;
      expect(isClear, `the lines below or beside the board at ${width}x${height}`).toBe(true);
      const nearer = await page.locator(".player").last().boundingBox();
      if (width > height)
        expect(line.y + line.height, `the best line at ${width}x${height}`).toBeLessThanOrEqual(nearer?.y ?? 0);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    // After 2. g4: the number of Black's move is before it.
    const [, move] =
      /^2…\s(\S+?)\u00AD?\s3\.\s/u.exec(await bestLines(page).nth(1).locator(".line-moves").innerText()) ?? [];
    const third = bestLines(page).nth(1).locator(".line-moves > span").nth(2);
    await third.hover();
    await page.locator(".line-preview .mini-board").waitFor();
    expect(await page.locator(".line-preview").evaluate(isWhole), "nothing covers the small board").toBe(true);
    await third.click();
    const shown = tree(page).getByRole("group", { name: "Computer’s line" });
    await expect.poll(() => shown.locator(".ply").first().innerText()).toContain(move);
    expect(await shown.locator(".ply").count()).toBe(3);
    await expect.poll(() => here(page).innerText()).toBe(await shown.locator(".ply").nth(2).innerText());
  });

  test("is analysed whole, in order, can be stopped, and its mistakes are marked by a rule that it tells", async () => {
    const match = await startGame(server);
    await playOut(match, ["f3", "e5", "g4"]);
    await resign(match.white.page);
    const { page } = match.black;
    await ended(page, /resigned$/u);
    // The second position waits until the analysis is stopped.
    let hold = (): void => undefined;
    const isHeld = new Promise<void>((release) => {
      hold = release;
    });
    await page.route("**/evaluation?ply=1", async (route) => {
      await isHeld;
      await route.continue();
    });
    await page.goto(`${match.black.url}/analysis${match.path}`);
    const evaluation = page.getByRole("region", { name: "Evaluation" });
    await bestLines(page).first().waitFor();
    const whole = page.getByRole("region", { name: "The whole game" });
    // What stands near the board on a phone: the chart stands below it, and moves none of it.
    const near = () =>
      page.evaluate(() =>
        [...document.querySelectorAll(".board-frame, .steps, .tree")].map((one) => {
          const { top, bottom } = one.getBoundingClientRect();
          return [top, bottom];
        }),
      );
    await inFirstScreen(whole.getByRole("button", { name: "Analyse the whole game" }));
    await page.setViewportSize({ width: 360, height: 740 });
    await drawn(page);
    const before = await near();
    await page.setViewportSize({ width: 1440, height: 900 });
    await whole.getByRole("button", { name: "Analyse the whole game" }).click();
    await evaluationChart(page).waitFor();
    await whole.getByRole("progressbar", { name: "2 of 4 positions" }).waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await drawn(page);
    expect(await near()).toEqual(before);
    const chartTop = async () =>
      await evaluationChart(page).evaluate((one) => one.getBoundingClientRect().top + scrollY);
    await openTab(page, "Mistakes");
    const during = await chartTop();
    await page.setViewportSize({ width: 1440, height: 900 });
    await whole.getByRole("button", { name: "Stop" }).click();
    await whole.getByRole("progressbar").waitFor({ state: "detached" });
    hold();
    await whole.getByRole("button", { name: "Analyse the whole game" }).click();
    const white = page
      .locator(".mistake-table")
      .getByRole("row", { name: /^White/u })
      .getByRole("cell");
    await whole.getByRole("button", { name: "Next mistake" }).waitFor();
    expect(await white.allInnerTexts(), "blunders, accuracy, and what was lost per move").toEqual([
      expect.stringMatching(/^\d$/u),
      expect.stringMatching(/^\d$/u),
      "1",
      expect.stringMatching(/^\d\d%$/u),
      expect.stringMatching(/^\d\.\d\d$/u),
    ]);
    await announces(page, /The whole game is analysed\./u);
    await page.setViewportSize({ width: 360, height: 740 });
    await expect.poll(chartTop, { message: "the chart on a phone, during the analysis and after it" }).toBe(during);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("button", { name: /^g4\s*, blunder\b/u }).waitFor();
    await page.getByText("How mistakes are marked").click();
    await page.getByText(/15% a blunder \(\?\?\)/u).waitFor();
    for (const [width, height, rows, high] of [
      [1440, 900, 9.9, 105],
      [1366, 768, 6.9, 90],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.evaluate(() => window.scrollTo(0, 0));
      expect(await rowsInSight(page), `moves in sight at ${width}x${height}`).toBeGreaterThanOrEqual(rows);
      const first = [".tree", ".typed", ".mistake-table", "details.explorer", ".exchange-ways", ".strip > .to-game"];
      const all = page.locator(first.join());
      const ends = await all.evaluateAll((some) => some.map((one) => one.getBoundingClientRect().bottom));
      expect(ends.length).toBe(first.length);
      expect(Math.max(...ends), `what is in the first screen of ${width}x${height}`).toBeLessThanOrEqual(height);
      const [picture, list] = [await evaluationChart(page).boundingBox(), await tree(page).boundingBox()];
      expect(picture?.width, `the chart below both columns at ${width}x${height}`).toBeGreaterThan(
        2 * (list?.width ?? width),
      );
      expect(picture?.height, `its height at ${width}x${height}`).toBeGreaterThanOrEqual(high);
      expect((picture?.y ?? height) + (picture?.height ?? 0), `in sight at ${width}x${height}`).toBeLessThan(height);
    }
    await inFirstScreen(whole.getByRole("button", { name: "Previous mistake" }));
    await inFirstScreen(whole.getByRole("button", { name: "Next mistake" }));
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.evaluate(() => window.scrollTo(0, 0));
    const chartBox = await evaluationChart(page).boundingBox();
    expect((chartBox?.y ?? 800) + (chartBox?.height ?? 0), "the chart in the first screen").toBeLessThan(800);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.keyboard.press("Home");
    for (const step of ["m", "Shift+M", "m"]) {
      await page.keyboard.press(step);
      await expect.poll(() => here(page).locator(".mistake-mark").count(), { message: step }).toBe(1);
    }
    const list = async () => (await bestLines(page).first().boundingBox())?.y;
    await page.keyboard.press("End");
    await evaluation.getByText("2. g4").waitFor();
    await evaluation.getByText("blunder", { exact: true }).waitFor();
    await evaluation.getByText(/^[+−]?\d\.\d → #−1$/u).waitFor();
    await evaluation.getByText(/^, before: .*, after: Black mates in 1$/u).waitFor();
    await page.keyboard.press("Home");
    const worst = evaluation.getByRole("button", { name: /^Worst move: .+, blunder$/u });
    expect(await worst.innerText()).toContain("2. g4");
    await worst.press("Enter");
    await expect.poll(() => here(page).innerText()).toContain("g4");
    // The button goes on as what was best there.
    await evaluation.locator("button:focus").getByText("best was").first().waitFor();
    await page.keyboard.press("Home");
    await whole.getByRole("button", { name: "Worst move" }).click();
    await expect.poll(() => here(page).innerText()).toContain("g4");
    const better = evaluation.getByRole("button", { name: /^best was .*Show .* as a side line$/u });
    await better.waitFor();
    const below = await list();
    await page.keyboard.press("Home");
    await better.waitFor({ state: "detached" });
    await evaluation.getByText("First position").waitFor();
    await bestLines(page).first().waitFor();
    expect(await list(), "the list below a move that is marked, and one that is not").toBe(below);
    await page.keyboard.press("End");
    await better.click();
    const instead = tree(page).getByRole("group", { name: "Computer’s line" });
    await expect.poll(() => instead.locator("[aria-current]").count()).toBe(1);
    const own = await (await page.request.get(`${match.black.url}/api/games${match.path}/pgn`)).text();
    const tags = own.match(/^\[.*\]$/gmu) ?? [];
    expect(tags.length).toBeGreaterThan(7);
    const [file] = await Promise.all([page.waitForEvent("download"), takeOut(page, "Save PGN")]);
    expect(file.suggestedFilename(), "as the game's page names it").toBe(`${match.path.slice(1)}.pgn`);
    const written = await copied(page, "Copy PGN");
    expect(written.match(/^\[.*\]$/gmu), "the tags of the game's own PGN").toEqual(tags);
    const pgn = written.replace(/\s+/gu, " ");
    expect(pgn).toMatch(/2\. g4 \$4 \{\[%eval #-1\] \[%best Qh4#\] \[%clk 0:0\d:\d\d\.\d\] \[%emt 0:00:\d\d\.\d\]\}/u);
    await evaluationChart(page).click({ position: { x: 1, y: 5 } });
    await expect.poll(() => here(page).count()).toBe(0);
    await isClean(page, "a game that is analysed whole");
  });

  test("opens at a ply, and is not offered while it is played", { tags: "nightly" }, async () => {
    const match = await startGame(server);
    await playOut(match, ["e4", "e5"]);
    const { page } = match.white;
    const third = await server.person();
    await third.page.goto(`${third.url}/analysis${match.path}?ply=1`);
    await third.page.getByRole("heading", { name: "This game is still being played" }).waitFor();
    await resign(page);
    await third.page.reload();
    await expect.poll(() => here(third.page).innerText()).toContain("e4");
    await third.page.goto(`${third.url}/analysis/000000000000`);
    await third.page.getByRole("heading", { name: "There is no such game" }).waitFor();
  });
});

test("is found from every page, by keyboard too", async () => {
  const { page, url } = await server.person();
  await page.goto(url);
  await page.getByRole("link", { name: "Analysis" }).focus();
  await page.keyboard.press("Enter");
  await board(page).waitFor();
  expect(new URL(page.url()).pathname).toBe("/analysis");
  await expect.poll(() => page.title()).toBe("Analysis – Zeitnot");
});

/** Whether no edge of it cuts an element off. */
function isWhole(element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  let outer = element.parentElement;
  for (; outer; outer = outer.parentElement) {
    if (getComputedStyle(outer).overflow === "visible") continue;
    const box = outer.getBoundingClientRect();
    if (left < box.left || right > box.right || top < box.top || bottom > box.bottom) return false;
  }
  return true;
}
