/** A finished game that is brought along as a PGN: it is evaluated as one of the server is. Others say why they are not. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isClean } from "./axe";
import { announces, board, startGame } from "./steps";
import { type TestServer, startTestServer } from "./testServer";
import {
  atBoard,
  bestLines,
  copied,
  evaluationChart,
  here,
  knowsMoves,
  paste,
  places,
  takeOut,
  tree,
  typeMove,
} from "./analysisSteps";
import { covering } from "./covering";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const PGN = "1. f3 {[%clk 0:02:58] weak} e5 2. g4 Qh4#";
const evaluation = (page: Page) => page.getByRole("region", { name: "Evaluation" });
const nextMistake = (page: Page) => page.getByRole("button", { name: "Next mistake" });
/** White's counts of mistakes, accuracy and loss. */
const whites = (page: Page) =>
  page
    .locator(".mistake-table")
    .getByRole("row", { name: /^White/u })
    .getByRole("cell");

/** After each ply of 1. f3 e5 2. g4, for White; beside it each position is worth -20. */
const SCORES = [20, -200, -180, -270];

interface Question {
  readonly moves: readonly string[];
  readonly result: string;
  readonly ply: number;
  readonly aside: readonly string[];
}

/** A person at the board whose questions about such games are answered here, and those questions. */
async function answered() {
  const person = await atBoard(server);
  const asked: Question[] = [];
  const best = [{ uci: "a2a3", san: "a3" }];
  await person.page.route("**/api/analysis/evaluation", (route) => {
    const question = route.request().postDataJSON() as Question;
    asked.push(question);
    const { ply, aside } = question;
    const centipawns = aside.length > 0 ? -20 : SCORES[ply];
    const one = { game: "a name of the server", ply, fen: "", centipawns, mate: null, depth: 12, line: best };
    return route.fulfill({ json: one });
  });
  await person.page.route(/\/api\/analysis\/lines(?:\/deeper)?$/u, (route) => {
    const depth = route.request().url().endsWith("deeper") ? 18 : 16;
    return route.fulfill({ json: { lines: [{ centipawns: 0, mate: null, depth, moves: best }] } });
  });
  return { ...person, asked };
}

test("the server evaluates a pasted game that ends in checkmate, with its best lines, and analyses it whole", async () => {
  const { page, errors } = await atBoard(server);
  await paste(page, PGN);
  await tree(page).getByText("0–1", { exact: true }).waitFor();
  await bestLines(page).nth(2).waitFor();
  await evaluation(page)
    .getByText(/^depth \d+$/u)
    .waitFor();
  await isClean(page, "a game that was brought along");
  await page.getByRole("button", { name: "Analyse the whole game" }).click();
  await nextMistake(page).waitFor({ timeout: 30_000 });
  await evaluationChart(page).waitFor();
  await page.getByRole("button", { name: /^g4\s*, blunder\b/u }).waitFor();
  expect(await whites(page).nth(3).innerText(), "accuracy").toMatch(/^\d\d%$/u);
  await page.keyboard.press("End");
  await evaluation(page).getByText("Checkmate", { exact: true }).waitFor();
  await page.keyboard.press("Home");
  await knowsMoves(page);
  await typeMove(page, "e4");
  await bestLines(page).first().waitFor();
  expect(errors).toEqual([]);
});

test("a game with a result has marks, deeper lines and notes in its PGN, and what is known of it outlasts a reload", {
  tags: "nightly",
}, async () => {
  const { page, asked, errors } = await answered();
  await paste(page, "1. f3 {[%clk 0:02:58] weak} e5 2. g4 0-1");
  await bestLines(page).first().waitFor();
  const { moves, result, ply, aside } = asked[0] as Question;
  expect([moves, result, ply, aside]).toEqual([["f2f3", "e7e5", "g2g4"], "0-1", 0, []]);
  expect(asked.length, "nothing is evaluated that nobody has looked at").toBe(1);
  await page.getByRole("button", { name: "Analyse the whole game" }).click();
  await nextMistake(page).waitFor();
  await page.keyboard.press("m");
  await here(page).getByText("??", { exact: true }).waitFor();
  await evaluation(page).getByText("+0.2 → −2.0").waitFor();
  await page.getByRole("button", { name: "Deeper", exact: true }).click();
  await evaluation(page).getByText("depth 18").waitFor();
  const pgn = (await copied(page, "Copy PGN")).replace(/\s+/gu, " ");
  expect(pgn).toContain("1. f3 $4 {[%eval -2.00] [%best a3] [%clk 0:02:58] weak} 1... e5 {[%eval -1.80] [%best a3]}");
  const before = asked.length;
  await page.reload();
  await nextMistake(page).waitFor();
  await evaluationChart(page).waitFor();
  expect(asked.length, "all of it was known").toBe(before);
  expect(errors).toEqual([]);
});

test("a game whose PGN brings its own evaluations shows those, until the server is asked for others", {
  tags: "nightly",
}, async () => {
  const { page, asked } = await answered();
  await paste(page, "1. f3 {[%eval -0.9]} e5 {[%eval -0.8]} 2. g4 {[%eval #-1]} 0-1");
  await page.getByText("The evaluations are those of the PGN.").waitFor();
  await evaluationChart(page).waitFor();
  expect(asked).toEqual([]);
  await takeOut(page, "Analyse the whole game");
  await evaluation(page).getByText("The evaluations are those of the PGN.").waitFor({ state: "detached" });
  await bestLines(page).first().waitFor();
  await expect.poll(() => asked.length).toBeGreaterThan(3);
  await nextMistake(page).waitFor();
  const pgn = (await copied(page, "Copy PGN")).replace(/\s+/gu, " ");
  expect(pgn).toContain("1. f3 $4 {[%eval -2.00] [%best a3]} 1... e5 {[%eval -1.80] [%best a3]}");
});

test("one learns from the mistakes of a game that was brought along", { tags: "nightly" }, async () => {
  const { page, asked } = await answered();
  await paste(page, "1. f3 e5 2. g4 0-1");
  await page.getByRole("button", { name: "Analyse the whole game" }).click();
  await nextMistake(page).waitFor();
  // So they are in the lesson, which begins with the same position.
  await knowsMoves(page);
  await page.getByRole("button", { name: "Learn from mistakes: White" }).click();
  const lesson = page.getByRole("region", { name: "Learn from mistakes" });
  await typeMove(page, "e4");
  await lesson
    .getByText(/^Good enough: /u)
    .first()
    .waitFor();
  expect(asked.at(-1)).toMatchObject({ ply: 0, aside: ["e2e4"] });
});

test("an analysis of the whole game that was left goes on by itself, and nothing moves when its evaluations come", {
  tags: "nightly",
}, async () => {
  const { page, asked } = await answered();
  let isHeld = true;
  await page.route("**/api/analysis/evaluation", (route) => {
    const { ply } = route.request().postDataJSON() as Question;
    if (isHeld && ply === 1) return route.fulfill({ status: 429, headers: { "retry-after": "1" }, json: {} });
    return route.fallback();
  });
  await paste(page, "1. f3 e5 2. g4 0-1");
  await bestLines(page).first().waitFor();
  await page.getByRole("button", { name: "Analyse the whole game" }).click();
  await page.getByRole("progressbar", { name: "3 of 4 positions" }).waitFor();
  const averages = async () => [await whites(page).nth(3).innerText(), await whites(page).nth(4).innerText()];
  const reckoned = [expect.stringMatching(/^\d\d%$/u), expect.stringMatching(/^\d\.\d\d$/u)];
  expect(await averages(), "of a part of the game").toEqual(reckoned);
  await page.reload();
  await page.getByRole("progressbar", { name: "3 of 4 positions" }).waitFor();
  await evaluationChart(page).waitFor();
  const during = await places(page);
  isHeld = false;
  await nextMistake(page).waitFor();
  expect(await averages()).toEqual(reckoned);
  expect(await places(page)).toEqual(during);
  expect(asked.filter(({ ply }) => ply === 3).length, "what it had found it does not ask again").toBe(1);
});

test("whoever plays is told that nothing that is brought along is evaluated meanwhile", async () => {
  const { page } = await atBoard(server);
  await page.route("**/api/analysis/*", (route) =>
    route.request().url().endsWith("position")
      ? route.continue()
      : route.fulfill({ status: 409, json: { code: "has_live_games", message: "" } }),
  );
  await paste(page, "1. f3 e5 2. g4 0-1");
  const why = "This is not evaluated while you are playing a game.";
  await evaluation(page).getByText(why).waitFor();
  await page.setViewportSize({ width: 390, height: 740 });
  const near = () =>
    page
      .locator(".board-frame, .steps, .whole-game > button, .tree")
      .evaluateAll((all) => all.map((one) => JSON.stringify(one.getBoundingClientRect())));
  const before = await near();
  await page.getByRole("button", { name: "Analyse the whole game" }).click();
  await page.locator(".notice.error").getByText(why).waitFor();
  await announces(page, why);
  expect(await near(), "nothing moves for it").toEqual(before);
});

test("the reason leads whoever plays to that game", { tags: "nightly" }, async () => {
  const { white, path } = await startGame(server);
  await white.page.getByRole("link", { name: "Analysis", exact: true }).click();
  await paste(white.page, "1. f3 e5 2. g4 0-1");
  await evaluation(white.page)
    .getByRole("link", { name: "This is not evaluated while you are playing a game." })
    .click();
  await board(white.page).waitFor();
  expect(new URL(white.page.url()).pathname).toBe(path);
});

const UNDECIDED = [
  ["without a result", "1. e4 e5 2. Nf3 *"],
  ["that says nothing of a result", "1. e4 e5 2. Nf3"],
  ["that is a position", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"],
] as const;

test.each(covering(UNDECIDED, UNDECIDED.slice(0, 1)))(
  "a text %s is not evaluated: somebody may be playing it",
  async (_, text) => {
    const { page, asked } = await answered();
    await paste(page, text);
    await evaluation(page)
      .getByText("Only games that are over are evaluated: a PGN needs a result. So nobody gets help while they play.")
      .waitFor();
    await knowsMoves(page);
    expect(await page.getByRole("button", { name: "Analyse the whole game" }).count()).toBe(0);
    expect(asked).toEqual([]);
  },
);
