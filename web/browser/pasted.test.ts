/** What is pasted into the analysis board: a PGN with what it notes, a FEN, their addresses, and what is wrong with a text. */
import { readFile } from "node:fs/promises";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isClean } from "./axe";
import { sees } from "./steps";
import { type TestServer, startTestServer } from "./testServer";
import { atBoard, copied, facts, here, knows, listen, openTab, paste, takeOut, tree, typeMove } from "./analysisSteps";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** What is wrong, and what is said of it. */
const WRONG = [
  ["1. e4 e5 2. Qh5 Nc6 3. Qxh7 g6 4. Kd3", /^4\. Kd3 cannot be played: the position does not allow it\.$/u],
  ["1. e4 e5 2. Nf3 (2. Nc3 Nf6 3. Nb2) Nc6", /^3\. Nb2 cannot be played: the position does not allow it\.$/u],
  ["1. Nf3 d5 2. Nc3 d4 3. Nd4 e5 4. e3 Nc6 5. Ne2", /^5\. Ne2 cannot be played: more than one piece can go there\.$/u],
  ["1. e4 hello", /^1… hello cannot be played: this is not a move\.$/u],
  ["1. e4 (1. d4", /^A bracket or brace has no counterpart/u],
  ["8/8/8/8/8/8/8/8 w - - 0 1", /^This is not a possible position: White has no king\.$/u],
  ["not a fen", /^This is neither a FEN nor a PGN\.$/u],
  ["8/8/8 w - - 0 1", /^This is neither a FEN nor a PGN\.$/u],
  ["1. e5 e5", /^1\. e5 cannot be played: the position does not allow it\.$/u],
] as const;

describe("what is pasted", () => {
  const PGN = `[White "Morphy"]\n[Black "Duke and Count"]\n\n1. e4 e5 2. Nf3 d6 3. d4 Bg4 $6 {a mistake} (3... exd4 4. Nxd4 (4. Qxd4)) 4. dxe5 Bxf3 1-0`;

  test("a PGN with side lines is loaded, and comes out again", async () => {
    const { page, errors } = await atBoard(server);
    await paste(page, PGN);
    await tree(page).getByText("Bxf3", { exact: true }).waitFor();
    await tree(page).getByText("1–0", { exact: true }).waitFor();
    expect(await tree(page).getByRole("group", { name: "Side line" }).count()).toBe(2);
    await page.getByText("Morphy", { exact: true }).waitFor();
    const at = async (move: string) =>
      (await tree(page).getByRole("button", { name: move }).first().boundingBox()) ?? { x: 0, y: 0 };
    const [white, black, next] = await Promise.all([at("e4"), at("e5"), at("knight f3")]);
    expect([black.y, next.x], "a row for each move, and a column for each side").toEqual([white.y, white.x]);
    expect(Math.min(black.x - white.x, next.y - white.y)).toBeGreaterThan(0);
    const pgn = await copied(page, "Copy PGN");
    expect(pgn.replace(/\s+/gu, " ")).toContain(
      "3. d4 Bg4 $6 {a mistake} (3... exd4 4. Nxd4 (4. Qxd4)) 4. dxe5 Bxf3 1-0",
    );
    await tree(page).getByText("?!", { exact: true }).waitFor();
    await tree(page).getByText("a mistake", { exact: true }).waitFor();
    await paste(page, "1. e4!! e5 $14 *");
    await tree(page)
      .getByRole("button", { name: /^e4\s*, brilliant move$/u })
      .waitFor();
    await tree(page).getByText("+=", { exact: true }).waitFor();
    expect(pgn).toContain('[White "Morphy"]');
    await isClean(page, "a PGN that was pasted");
    expect(errors).toEqual([]);
  });

  test("what is wrong is said, in the place of what was loaded before", async () => {
    const { page } = await atBoard(server);
    const loaded = page.locator(".notice").getByText("The moves are loaded. · Only the first of its games is shown.");
    const alert = page.getByRole("alert");
    for (const [text, wrong] of WRONG) {
      await paste(page, '[Event "One"]\n\n1. e4 *\n\n[Event "Two"]\n\n1. d4 *');
      await loaded.waitFor();
      expect(await alert.count(), "what was wrong before is no longer said").toBe(0);
      await paste(page, text);
      await alert.getByText(wrong).waitFor();
      expect(await loaded.count(), "what was loaded before is no longer said").toBe(0);
    }
  });

  test("has an address that gives it again, begins at the board, and says that it was loaded", {
    tags: "nightly",
  }, async () => {
    const { page } = await atBoard(server, { viewport: { width: 390, height: 740 } });
    await page.keyboard.press("f");
    const said = await listen(page);
    await paste(page, PGN);
    await tree(page).getByText("Bxf3", { exact: true }).waitFor();
    await expect.poll(said).toContain("Loaded: Morphy – Duke and Count");
    expect(await page.locator(".notice").isVisible(), "nothing lies over the page").toBe(false);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    expect(await page.getByRole("textbox", { name: "Paste a FEN or a PGN" }).isVisible()).toBe(false);
    await page.reload();
    await tree(page).getByText("Bxf3", { exact: true }).waitFor();
    await page.getByRole("grid", { name: "Chess board, Black at the bottom" }).waitFor();
    const fen = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    await paste(page, fen);
    await sees(page, "d1", "wr");
    await knows(page, "White");
    expect(await page.locator(".facts .opening").innerText(), "a position has no opening").toBe("");
    // Nobody has captured what the position lacks.
    const material = await page.locator(".material").allInnerTexts();
    expect(material.filter((words) => words !== "")).toEqual([expect.stringContaining("Has a rook more. Ahead by 5.")]);
    await openTab(page, "Moves");
    await typeMove(page, "Rd8#");
    await paste(page, fen);
    await sees(page, "d1", "wr");
    await page.reload();
    await sees(page, "d1", "wr");
    await page.goto(`${server.url}/analysis?pgn=99`);
    await page.getByText("This PGN is no longer kept in this tab. Paste it again.").waitFor();
    await page.getByRole("link", { name: "New analysis" }).click();
    await sees(page, "e2", "wp");
  });

  test("has the marks, the chart and the times that its comments note", { tags: "nightly" }, async () => {
    const { page, errors } = await atBoard(server);
    await paste(
      page,
      '[TimeControl "180"]\n\n1. f3 {[%eval -0.9] [%clk 0:02:58]} e5 {[%eval -0.8] [%clk 0:02:50]} 2. g4 $4 {[%eval #-1] [%clk 0:02:40]} Qh4# 0-1',
    );
    const chart = await page.locator(".chart").boundingBox();
    const column = await page.locator(".panels").boundingBox();
    const own = page.getByRole("columnheader", { name: "pawns lost per move" });
    expect(await own.count()).toBe(1);
    expect(chart?.width, "as wide as all that stands beside the board").toBeCloseTo(column?.width ?? 0, 0);
    expect(chart?.height).toBeGreaterThanOrEqual(80);
    expect(await page.locator(".evaluation-chart .mark-shape.blunder").count()).toBe(1);
    expect(await page.locator(".mistake-table .mark-shape").count(), "each mark beside its shape").toBe(3);
    await page.setViewportSize({ width: 390, height: 740 });
    await page.getByTitle("Next mistake").getByText("mistake", { exact: true }).waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.keyboard.press("m");
    await here(page).getByText("??", { exact: true }).waitFor();
    await page.getByRole("region", { name: "Evaluation" }).getByText("−0.8 → #−1").waitFor();
    await page.getByRole("img", { name: /^Time for each move/u }).waitFor();
    await page.getByRole("timer", { name: /White/u }).getByText("2:40").waitFor();
    await page.getByText("The evaluations are those of the PGN.").waitFor();
    await isClean(page, "a PGN with evaluations");
    const said = await listen(page);
    await paste(page, "1. e4 e5 2. Ba6?? *");
    await page.getByText("The marks are those of the PGN. It has no evaluations.").waitFor();
    await expect.poll(said).toContain("The moves are loaded.");
    expect(errors).toEqual([]);
  });

  test("a FEN is loaded, and leads there again by its link", async () => {
    const { page, context } = await atBoard(server);
    const said = await listen(page);
    await paste(page, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    await sees(page, "d1", "wr");
    await expect.poll(said).toContain("The position is loaded.");
    await knows(page, "White");
    await typeMove(page, "Rd8#");
    await facts(page).getByText("White wins: Checkmate").waitFor();
    await page.keyboard.press("ArrowLeft");
    const link = await copied(page, "Copy a link to this position");
    const second = await context.newPage();
    await second.goto(link);
    await sees(second, "d1", "wr");
    await knows(second, "White");
  });
});

/** How far the words of each box are from its edge, in pixels. */
const freeSides = (boxes: readonly Element[]): number[] =>
  boxes.map((box) => {
    const words = document.createRange();
    words.selectNodeContents(box);
    return words.getBoundingClientRect().left - box.getBoundingClientRect().left;
  });

describe("a position that is set up", () => {
  test("is not asked for by a second press on what led to the page", { tags: "nightly" }, async () => {
    const { page, url } = await server.person();
    await page.goto(`${url}/analysis`);
    await page.waitForFunction(() => document.querySelector(".exchange-ways")?.matches("[inert]"));
    const open = page.getByRole("button", { name: "Set up a position" });
    await open.click();
    await page.getByRole("dialog", { name: "Set up a position" }).waitFor();
  });

  test("has the pieces that are put, moved and taken away, and is opened once it is possible", async () => {
    const { page, errors } = await atBoard(server);
    const open = page.getByRole("button", { name: "Set up a position" });
    await open.click();
    const dialog = page.getByRole("dialog", { name: "Set up a position" });
    await dialog.getByRole("grid").waitFor();
    await isClean(page, "the dialog in which a position is set up");
    await dialog.getByRole("button", { name: "Clear the board" }).click();
    const choose = (piece: string) => dialog.getByRole("radio", { name: piece, exact: true }).check();
    const at = (name: string) =>
      dialog.locator(`[data-square="${name.charCodeAt(0) - 97 + (Number(name[1]) - 1) * 8}"]`);
    await choose("white king");
    await at("e1").click();
    const castles = dialog.getByRole("checkbox", { name: "White O-O", exact: true });
    expect(await castles.isDisabled(), "without a rook").toBe(true);
    await choose("white rook");
    await at("h1").click();
    await castles.check();
    await dialog.getByRole("button", { name: "Use this position" }).click();
    await dialog
      .getByRole("alert")
      .getByText(/^This is not a possible position: Black has no king/u)
      .waitFor();
    // By keys.
    await choose("black king");
    await at("e7").focus();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await dialog.locator('[aria-label="e8, black king"]').waitFor();
    expect(await dialog.getByText("This is not a possible position", { exact: false }).count()).toBe(0);
    await choose("white queen");
    await at("a4").click();
    const [from, to] = [await at("a4").boundingBox(), await at("b4").boundingBox()];
    if (!from || !to) throw new Error("both are on the board");
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 4 });
    await page.mouse.up();
    await dialog.locator('[aria-label="b4, white queen"]').waitFor();
    await choose("Take pieces away");
    await at("b4").click();
    await choose("Black");
    await dialog.getByRole("button", { name: "Use this position" }).click();
    await dialog.waitFor({ state: "detached" });
    await knows(page, "Black");
    await page.getByRole("heading", { name: "No evaluation here" }).waitFor();
    expect(new URL(page.url()).searchParams.get("fen")).toBe("4k3/8/8/8/8/8/8/4K2R b K - 0 1");
    expect(errors.filter((error) => !error.includes("400"))).toEqual([]);
  });

  test("is a FEN that follows it and can be pasted; the board is turned, and stays so", {
    tags: "nightly",
  }, async () => {
    const { page } = await atBoard(server);
    await page.getByRole("button", { name: "Set up a position" }).click();
    const dialog = page.getByRole("dialog", { name: "Set up a position" });
    const fen = dialog.getByLabel("FEN");
    // At first two taps move what stands there.
    for (const square of [12, 28]) await dialog.locator(`[data-square="${square}"]`).click();
    await expect.poll(() => fen.inputValue()).toBe("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1");
    await dialog.getByRole("radio", { name: "white queen", exact: true }).check();
    await dialog.locator('[data-square="12"]').click();
    await expect.poll(() => fen.inputValue()).toBe("rnbqkbnr/pppppppp/8/8/4P3/8/PPPPQPPP/RNBQKBNR w KQkq - 0 1");
    const pasted = "4k3/8/8/8/3pP3/8/8/4K2R b K e3 4 30";
    await fen.fill(pasted);
    await dialog.locator('[aria-label="d4, black pawn"]').waitFor();
    expect(await dialog.getByRole("radio", { name: "e3", exact: true }).isChecked()).toBe(true);
    await isClean(page, "the dialog with a FEN");
    await dialog.getByRole("button", { name: "Flip the board" }).click();
    await fen.fill("nothing");
    await dialog.getByRole("button", { name: "Use this position" }).click();
    await dialog.getByRole("alert").getByText("This is neither a FEN nor a PGN.").waitFor();
    await fen.fill(pasted);
    await dialog.getByRole("button", { name: "Use this position" }).click();
    await dialog.waitFor({ state: "detached" });
    const { searchParams } = new URL(page.url());
    expect([searchParams.get("fen"), searchParams.get("bottom")]).toEqual([pasted, "black"]);
  });

  test("fits the windows of phones, and Escape gives the focus back", { tags: "nightly" }, async () => {
    const { page } = await atBoard(server);
    const open = page.getByRole("button", { name: "Set up a position" });
    const dialog = page.getByRole("dialog", { name: "Set up a position" });
    for (const [width, height] of [
      [390, 740],
      [360, 640],
      [320, 568],
      [667, 375],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      await openTab(page, "Position");
      await open.click();
      await dialog.getByRole("grid").waitFor();
      const at = `at ${width}x${height}`;
      expect(await dialog.evaluate((one) => one.scrollWidth <= one.clientWidth), at).toBe(true);
      const sizes = await dialog.locator(".palette label").evaluateAll((all) => all.map((one) => one.clientHeight));
      expect([sizes.length, Math.min(...sizes) >= 40], at).toEqual([14, true]);
      const toggles = await dialog.locator(".rights label").evaluateAll((all) => all.map((one) => one.clientHeight));
      expect([toggles.length, Math.min(...toggles) >= 44], at).toEqual([4, true]);
      expect(Math.min(...(await dialog.locator(".rights span").evaluateAll(freeSides))), at).toBeGreaterThanOrEqual(5);
      const [rights, buttons] = await Promise.all(
        [".rights", ".set-up-buttons"].map((one) => dialog.locator(one).boundingBox()),
      );
      const isCovered = (rights?.y ?? 0) + (rights?.height ?? 0) > (buttons?.y ?? 0);
      // In lower windows they scroll.
      if (height >= 740) expect(isCovered, `castling behind the buttons ${at}`).toBe(false);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      expect(await open.evaluate((one) => one === document.activeElement), at).toBe(true);
    }
  });
});

test("what is wrong with a position that is set up covers nothing, and its room stays when it is changed", {
  tags: "nightly",
}, async () => {
  const { page } = await atBoard(server, { viewport: { width: 390, height: 740 } });
  await openTab(page, "Position");
  await page.getByRole("button", { name: "Set up a position" }).click();
  const dialog = page.getByRole("dialog", { name: "Set up a position" });
  await dialog.getByRole("button", { name: "Clear the board" }).click();
  const analyse = dialog.getByRole("button", { name: "Use this position" });
  const top = async (part: Locator) => (await part.boundingBox())?.y ?? Number.NaN;
  const pressed = await top(analyse);
  await analyse.click();
  await dialog.getByRole("alert").getByText("White has no king.", { exact: false }).waitFor();
  expect(Math.abs((await top(analyse)) - pressed), "the button stays below the finger").toBeLessThan(10);
  const parts = [".set-up-fen", ".wrong", ".set-up-buttons"];
  const boxes = await Promise.all(parts.map((part) => dialog.locator(part).boundingBox()));
  for (const [at, box] of boxes.entries())
    expect((box?.y ?? 0) + (box?.height ?? 0), parts[at]).toBeLessThanOrEqual((boxes[at + 1]?.y ?? 740) + 1);
  await dialog.getByRole("radio", { name: "white king", exact: true }).check();
  const square = dialog.locator('[data-square="28"]');
  const before = await top(square);
  await square.click();
  await expect.poll(() => dialog.getByRole("alert").innerText()).toBe("");
  expect(await top(square), "the board").toBe(before);
});

test("the chip of the move shown does not cover the dot of its number", { tags: "nightly" }, async () => {
  const { page } = await atBoard(server);
  await paste(page, "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 (4. O-O Nf6 5. d3) 4... Nf6 *");
  const castles = page.locator(".side-line .ply").first();
  await castles.click();
  const [number, chip] = [await page.locator(".side-line .number").first().boundingBox(), await castles.boundingBox()];
  expect((chip?.x ?? 0) - (number?.x ?? 0) - (number?.width ?? 0)).toBeGreaterThanOrEqual(2);
});

test("a picture of the board is saved, of eight by eight squares", async () => {
  const { page, errors } = await atBoard(server);
  const [file] = await Promise.all([page.waitForEvent("download"), takeOut(page, "Save a picture")]);
  expect(file.suggestedFilename()).toBe("analysis.png");
  const picture = await readFile(await file.path());
  // What a PNG begins with, and where it has its width and height.
  expect(picture.subarray(1, 4).toString()).toBe("PNG");
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([768, 768]);
  expect(picture.length, "with pieces on it").toBeGreaterThan(5_000);
  expect(errors).toEqual([]);
});

test("what is unfolded at the edge of the window comes into sight", { tags: "nightly" }, async () => {
  const { page } = await atBoard(server);
  await page.setViewportSize({ width: 390, height: 740 });
  await openTab(page, "Position");
  const summary = page.locator("summary").getByText("Can each side still mate?");
  await summary.evaluate((element) => element.scrollIntoView({ block: "end" }));
  await summary.click();
  const unfolded = page.locator("details[open]").filter({ has: summary });
  const below = () => unfolded.evaluate((one) => one.getBoundingClientRect().bottom - innerHeight);
  await expect.poll(below).toBeLessThanOrEqual(1);
});

test("a game begins from the position shown, where a move is possible", async () => {
  const fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
  const { page } = await atBoard(server, {}, `?fen=${encodeURIComponent(fen)}`);
  await page.getByRole("button", { name: "Play from here" }).click();
  const dialog = page.getByRole("dialog", { name: "Play from here" });
  await isClean(page, "the opponents for a game from a position");
  await dialog.getByRole("button", { name: "Play a friend" }).click();
  await isClean(page, "the dialog in which a game is begun from a position");
  await dialog.getByRole("button", { name: "Create the link" }).click();
  await page.getByRole("heading", { name: "Waiting for an opponent" }).waitFor();
  await page.getByText(fen).waitFor();
  const mate = "7k/6Q1/5K2/8/8/8/8/8 b - - 0 1";
  await page.goto(`${new URL(page.url()).origin}/analysis?fen=${encodeURIComponent(mate)}`);
  await facts(page).waitFor();
  expect(await page.getByRole("button", { name: "Play from here" }).count()).toBe(0);
});
