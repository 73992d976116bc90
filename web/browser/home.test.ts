/** The home page when nobody plays: a game to look at, waiting alone, and no focus lost on the way. */
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { isClean } from "./axe";
import {
  accountButton,
  announces,
  board,
  chooseInMenu,
  chooseLanguage,
  ended,
  playOut,
  registered,
  resign,
  setUpSeek,
  startGame,
  stopWaiting,
} from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ computer: true });
});
afterAll(() => server.close());

/** A place's own name and text, as far as it has any. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.textContent?.trim() ?? ""}`);

test("an account that is made moves nothing under a finger", { tags: "nightly" }, async () => {
  const { page, url } = await server.person();
  await page.setViewportSize({ width: 390, height: 740 });
  await page.goto(url);
  const tile = page.getByRole("button", { name: /^3\+2/u });
  const place = await tile.boundingBox();
  await tile.click();
  await accountButton(page).waitFor();
  expect(await tile.boundingBox()).toEqual(place);
});

test("a cold and empty home plays a famous game once, which can be stopped and stepped through", async () => {
  const { page, url, errors } = await server.person();
  await page.clock.install();
  await page.goto(url);
  const game = page.getByRole("region", { name: "A game to look at" });
  const move = game.locator(".replay-move");
  await move.getByText("1. e4").waitFor({ timeout: 10_000 });
  await game.getByRole("button", { name: "Pause" }).click();
  await game.getByRole("button", { name: "Play", exact: true }).waitFor();
  const at = await move.innerText();
  await page.clock.fastForward(60_000);
  expect(await move.innerText()).toBe(at);
  await game.getByRole("button", { name: "One move forward" }).click();
  await expect.poll(() => move.innerText()).not.toBe(at);
  await isClean(page, "a replayed game");
  // No card for what is not there, one way to a game of one's own terms in each row, and no third of a column is empty.
  expect(await page.getByText("No open games").count()).toBe(0);
  expect(await page.getByText("Custom game").count()).toBe(1);
  const [first, board] = [page.locator(".column").first().locator("> :last-child"), page.locator(".featured")];
  const bottom = async (part: Locator): Promise<number> => part.evaluate((one) => one.getBoundingClientRect().bottom);
  expect(await bottom(first)).toBeGreaterThan((await bottom(board)) * 0.8);
  await game.getByRole("button", { name: "Play", exact: true }).click();
  for (let ply = 0; ply < 34; ply += 1) await page.clock.runFor(1500);
  await move.getByText("17. Rd8# 1–0").waitFor();
  await game.getByRole("button", { name: "Play again" }).waitFor();
  // Its name leads to the analysis of its moves.
  await game.getByRole("link", { name: /^Paul Morphy/u }).click();
  await page.getByText("Rd8#").first().waitFor();
  expect(new URL(page.url()).pathname).toBe("/analysis");
  expect(errors).toEqual([]);
});

test("a lost connection is told without moving what one is about to press", { tags: "nightly" }, async () => {
  const { page, url } = await server.person({ wired: true });
  await page.clock.install();
  await page.goto(url);
  const play = page.getByRole("button", { name: "Play a friend" });
  await page.getByText("Nobody is waiting for a game right now").waitFor();
  const before = await play.boundingBox();
  server.wire.cut();
  onTestFinished(() => server.wire.mend());
  const told = page.getByRole("status").getByText("Connection lost. Reconnecting …");
  await expect
    .poll(async () => {
      await page.clock.fastForward(5000);
      return told.isVisible();
    })
    .toBe(true);
  expect(await play.boundingBox()).toEqual(before);
});

test("whoever wants less motion sees the end of it at once", { tags: "nightly" }, async () => {
  const { page, url } = await server.person({ reducedMotion: "reduce" });
  await page.goto(url);
  await page.locator(".replay-move").getByText("17. Rd8# 1–0").waitFor();
});

test("a game of this server is replayed instead, once one has ended, and leads to its page", {
  tags: "nightly",
}, async () => {
  const match = await startGame(server);
  await playOut(match, ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7"]);
  await ended(match.white.page, "Checkmate");
  const { page, url } = await server.person({ reducedMotion: "reduce" });
  // Which game it is the server's tests show: it features long ones, and the same one for a minute.
  const snapshot = await (await page.request.get(`${url}/api/games${match.path}`)).json();
  await page.route("**/api/games/featured", (route) => route.fulfill({ json: { game: snapshot } }));
  await page.goto(url);
  const game = page.getByRole("region", { name: "A game to look at" });
  await game.getByText("A game that was played here:").waitFor();
  await game.locator(".replay-move").getByText("4. Qxf7# 1–0").waitFor();
  await game.getByRole("link").click();
  await page.getByRole("group", { name: "The game is over" }).first().waitFor();
  expect(new URL(page.url()).pathname).toBe(match.path);
});

test("how many others are here is said, and live boards have clocks", async () => {
  const match = await startGame(server, { minutes: "9", seconds: "0" });
  await playOut(match, ["e4", "e5"]);
  const { page, url } = await server.person();
  await page.goto(url);
  await page
    .locator(".here")
    .getByText(/^\d+ other players here · 1 game in progress$/u)
    .waitFor();
  const clocks = page.locator(".featured .live-clock");
  expect(await clocks.count()).toBe(2);
  const running = page.locator(".featured .live-clock.running");
  const first = await running.innerText();
  expect(first).toMatch(/^[89]:\d\d$/u);
  // It counts down by itself.
  await expect.poll(() => running.innerText(), { timeout: 10_000 }).not.toBe(first);
  await isClean(page, "a home page with a live board");
});

test("a live game that ends keeps its place with its result, and makes room for another one after a moment", {
  tags: "nightly",
}, async () => {
  const own = await startTestServer();
  onTestFinished(() => own.close());
  const first = await startGame(own, { minutes: "11" });
  await playOut(first, ["e4", "e5"]);
  const { page, url, errors } = await own.person();
  await page.clock.install();
  await page.goto(url);
  const large = page.getByRole("region", { name: "Featured game" });
  const game = ({ path }: { path: string }) => large.locator(`a[href="${path}"]`);
  await game(first).waitFor();
  const place = await large.boundingBox();
  await resign(first.black.page);
  await game(first)
    .getByText(/1–0 · Black resigned/u)
    .waitFor();
  expect(await large.boundingBox()).toEqual(place);
  await isClean(page, "a live game that has ended");
  // While there is no other one the result stays.
  await page.clock.fastForward(60_000);
  expect(await game(first).count()).toBe(1);
  const second = await startGame(own, { minutes: "12" });
  await playOut(second, ["d4", "d5"]);
  // Meanwhile it is among the small ones.
  await page.locator(`.live a[href="${second.path}"]`).waitFor();
  expect(await game(first).count()).toBe(1);
  await page.clock.fastForward(11_000);
  await game(second).waitFor();
  expect(await page.locator(`a[href="${second.path}"]`).count()).toBe(1);
  expect(errors).toEqual([]);
});

test("whoever waits alone is offered the pool in which somebody waits", { tags: "nightly" }, async () => {
  const [one, other] = [await server.person(), await server.person()];
  for (const { page, url } of [one, other]) await page.goto(url);
  await one.page.getByRole("button", { name: /^10\+5/u }).click();
  await one.page.locator(".waiting-dock").getByText("Waiting for an opponent: 10+5").waitFor();
  await other.page.getByRole("button", { name: /^5\+3/u }).click();
  const dock = other.page.locator(".waiting-dock");
  await dock.getByText("Somebody is waiting for 10+5.").waitFor();
  await isClean(other.page, "somebody waits elsewhere");
  await dock.getByRole("button", { name: "Play the computer" }).waitFor();
  const lines = (part: Locator): Promise<number> =>
    part.evaluate((one) => one.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(one).lineHeight));
  for (const [width, height, most] of [
    [320, 568, 135],
    [390, 740, 135],
    [800, 900, 110],
    [1440, 900, 60],
  ] as const) {
    await other.page.setViewportSize({ width, height });
    expect(await lines(dock.locator(".offers > p")), `${width}x${height}`).toBeCloseTo(1, 0);
    expect((await dock.boundingBox())?.height, `${width}x${height}`).toBeLessThanOrEqual(most);
  }
  // Beside what is offered as well as above it.
  expect(await lines(dock.getByText("Waiting for an opponent: 5+3"))).toBeCloseTo(1, 0);
  await one.page.locator(".waiting-dock").getByRole("button", { name: "Play 5+3" }).waitFor();
  await dock.getByRole("button", { name: "Play 10+5" }).click();
  for (const { page } of [one, other]) await board(page).waitFor();
  expect([...one.errors, ...other.errors]).toEqual([]);
});

test("Play offers the pool in which somebody waits, never another one under the pointer, and does what it says", {
  tags: "nightly",
}, async () => {
  const [one, other] = [await server.person(), await server.person()];
  for (const { page, url } of [one, other]) await page.goto(url);
  const play = other.page.locator("#play");
  await expect.poll(() => play.innerText()).toBe("Play 5+3");
  await other.page.getByRole("button", { name: "Play the computer" }).waitFor();
  const place = await play.boundingBox();
  await play.hover();
  await one.page.getByRole("button", { name: /^3\+2/u }).click();
  await other.page.getByRole("button", { name: "3+2 Blitz 1 waiting" }).waitFor();
  expect(await play.innerText()).toBe("Play 5+3");
  await other.page.mouse.move(0, 0);
  const offered = other.page.getByRole("button", { name: "Play 3+2 1 waiting" });
  await offered.waitFor();
  expect(await play.boundingBox()).toEqual(place);
  await isClean(other.page, "another pool is offered");
  // One with a clock of another kind has a button beside it.
  const third = await server.person();
  await third.page.goto(third.url);
  await one.page.getByRole("button", { name: /^30\+20/u }).click();
  await third.page.getByRole("button", { name: "30+20 Classical 1 waiting" }).waitFor();
  await expect.poll(() => third.page.locator("#play").innerText()).toBe("Play 5+3");
  await third.page.setViewportSize({ width: 390, height: 740 });
  const beside = third.page.getByRole("button", { name: "Play 30+20 1 waiting" });
  const [usual, waited, label] = await Promise.all([
    third.page.locator("#play").boundingBox(),
    beside.boundingBox(),
    third.page.locator("#play > span").boundingBox(),
  ]);
  if (!usual || !waited || !label) throw new Error("something is not there");
  expect([waited.y, waited.height]).toEqual([usual.y, usual.height]);
  expect(Math.abs(usual.y + usual.height / 2 - label.y - label.height / 2)).toBeLessThanOrEqual(1);
  await isClean(third.page, "somebody waits for another clock");
  await third.context.close();
  await one.page.getByRole("button", { name: /^3\+2/u }).click();
  await offered.waitFor();
  // On every screen in the height of the others.
  for (const [width, height] of [
    [320, 568],
    [740, 900],
    [1440, 900],
  ] as const) {
    await other.page.setViewportSize({ width, height });
    expect((await play.boundingBox())?.height, `${width}x${height}`).toBe(48);
  }
  // A press right after a change would do nothing.
  await other.page.waitForTimeout(500);
  await offered.click();
  for (const { page } of [one, other]) {
    await board(page).waitFor();
    await page.locator(".details").getByText("3+2").waitFor();
  }
  expect([...one.errors, ...other.errors]).toEqual([]);
});

test("a double tap on Play begins the wait and does not end it", async () => {
  const { page, url } = await server.person();
  await page.goto(url);
  const play = page.locator("#play");
  await play.getByText("Play 5+3").waitFor();
  // The second press comes as soon as the button says something else.
  await play.evaluate(async (button: HTMLElement) => {
    button.click();
    while (button.textContent !== "Stop waiting") await new Promise((done) => requestAnimationFrame(done));
    button.click();
  });
  await page.locator(".waiting-dock").getByText("Waiting for an opponent: 5+3").waitFor();
  expect(await play.innerText()).toBe("Stop waiting");
  await stopWaiting(page);
  await play.getByText("Play 5+3").waitFor();
});

test("whoever waits alone for ten seconds is told so and offered the computer", async () => {
  const { page, url, errors } = await server.person({ viewport: { width: 320, height: 568 } });
  await page.clock.install();
  await page.goto(url);
  const dock = page.locator(".waiting-dock");
  await page.getByRole("button", { name: "Play the computer" }).waitFor();
  const play = page.locator("#play");
  const before = await play.boundingBox();
  await play.click();
  await dock.getByText("Waiting for an opponent: 5+3").waitFor();
  // The main button above ends the wait.
  await expect.poll(() => dock.getByRole("button").count()).toBe(0);
  expect(await dock.getByText("Nobody else is waiting yet.").count()).toBe(0);
  await page.clock.fastForward(11_000);
  await dock.getByText("Nobody else is waiting yet.").waitFor();
  // Nothing has moved, and the button that was pressed still has the focus.
  expect(await play.boundingBox()).toEqual(before);
  expect(await focused(page)).toBe("BUTTON Stop waiting");
  // Nobody is told that nobody waits while they do.
  expect(await page.locator(".here").innerText()).not.toContain("waiting");
  await isClean(page, "waiting alone");
  const box = await dock.boundingBox();
  expect(box && box.x >= 0 && box.x + box.width <= 320 && box.y + box.height <= 568).toBe(true);
  await dock.getByRole("button", { name: "Play the computer" }).click();
  await page.getByRole("radio", { name: "5+3" }).check({ force: true });
  await page.getByRole("button", { name: "Begin" }).click();
  await board(page).waitFor();
  // The game has ended the wait, and the way back to it stands in the place of the pool.
  await page.goto(url);
  await page.getByRole("link", { name: /^Back to the game/u }).waitFor();
  expect(await play.count()).toBe(0);
  await expect.poll(() => dock.innerText()).toBe("");
  expect(errors).toEqual([]);
});

test("a game that one has left is told on every page while it runs, and its end until it was looked at", async () => {
  const { white, black } = await startGame(server);
  await playOut({ white, black, path: "" }, ["e4", "e5"]);
  await chooseInMenu(white.page, "Your games and ratings");
  await white.page.getByRole("link", { name: /^Your game against Guest-.+ is running\.$/u }).waitFor();
  await white.page.getByRole("link", { name: "Zeitnot" }).click();
  await white.page.getByRole("link", { name: /^Back to the game/u }).waitFor();
  await resign(black.page);
  await announces(white.page, /^Your game against Guest-.+ has ended: You win\.$/u);
  const strip = white.page.getByRole("region", { name: "Recently ended" });
  await isClean(white.page, "a game that has ended elsewhere");
  await strip.getByRole("link", { name: /has ended: You win/u }).click();
  await ended(white.page, "You win");
  await white.page.goBack();
  await white.page.getByRole("region", { name: "Your last games" }).getByRole("link", { name: /Won/u }).waitFor();
  expect(await strip.count()).toBe(0);
});

test("what one waits for takes one line, two on a phone when it offers something, and moves nothing", {
  tags: "nightly",
}, async () => {
  const { page, url } = await server.person({ viewport: { width: 1440, height: 900 } });
  await page.clock.install();
  await page.goto(url);
  const tile = page.getByRole("button", { name: /^10\+5/u });
  const before = await tile.boundingBox();
  await tile.click();
  const dock = page.locator(".waiting-dock");
  await dock.getByText("Waiting for an opponent: 10+5").waitFor();
  await page.clock.fastForward(11_000);
  await dock.getByText("Nobody else is waiting yet.").waitFor();
  const [after, line, play] = await Promise.all([tile, dock, page.locator("#play")].map((one) => one.boundingBox()));
  expect(after).toEqual(before);
  const header = await page.getByRole("banner").boundingBox();
  expect(line && play && header && header.height < line.y && line.y + line.height < play.y).toBe(true);
  // The button below it ends the wait.
  await expect.poll(() => page.getByRole("button", { name: "Stop waiting" }).count()).toBe(1);
  for (const [width, height, most] of [
    [1440, 900, 60],
    [960, 600, 60],
    [390, 664, 110],
    [360, 740, 110],
  ] as const) {
    await page.setViewportSize({ width, height });
    expect((await dock.boundingBox())?.height, `${width}x${height}`).toBeLessThanOrEqual(most);
  }
});

test("while nobody plays the latest games of others stand beside the board on a desk, and are asked for nowhere else", {
  tags: "nightly",
}, async () => {
  // On a server of its own: elsewhere games of other tests may still run.
  const own = await startTestServer();
  onTestFinished(() => own.close());
  const match = await startGame(own);
  await playOut(match, ["f3", "e5", "g4", "Qh4"]);
  await ended(match.white.page, "Checkmate");
  const asked: string[] = [];
  const { page, url } = await own.person();
  page.on("request", (request) => asked.push(new URL(request.url()).search));
  await page.goto(url);
  const latest = page.getByRole("region", { name: "Latest games here" });
  const first = latest.getByRole("link").first();
  await first.getByText("Casual · Blitz · 5+3").waitFor();
  await first.getByText("0–1 Checkmate").waitFor();
  const places = await Promise.all([".featured", ".latest"].map((what) => page.locator(what).boundingBox()));
  expect(places[1]?.x).toBeGreaterThan(places[0]?.x ?? Number.NaN);
  // What is said of the site stands below what one may look for.
  const apart = await page.getByRole("region", { name: "What is different here" }).boundingBox();
  expect(apart?.y).toBeGreaterThan((places[1]?.y ?? Number.NaN) + (places[1]?.height ?? 0));
  await isClean(page, "the latest games");
  await first.click();
  await ended(page, "Checkmate");
  await page.setViewportSize({ width: 390, height: 740 });
  asked.length = 0;
  await page.goto(url);
  await page.locator(".featured .replay").waitFor();
  expect(await latest.count()).toBe(0);
  expect(asked.filter((query) => query.includes("imported=false"))).toEqual([]);
});

test("what is live stands before what is over, in one order for eyes and for screen readers", {
  tags: "nightly",
}, async () => {
  const [lists, looks] = [await server.person(), await server.person()];
  await lists.page.goto(lists.url);
  await setUpSeek(lists.page);
  await lists.page.getByRole("button", { name: "Add to the open games" }).click();
  const match = await startGame(server);
  await playOut(match, ["e4", "e5"]);
  const { page, url } = looks;
  /** The cards as they are seen: from top to bottom, column by column. */
  const seen = () =>
    page.locator(".home .column > *").evaluateAll((all) =>
      all
        .map((one) => ({ what: one.className.replace("card", "").trim(), ...one.getBoundingClientRect().toJSON() }))
        .filter((one) => one.height > 0)
        .sort((a, b) => a.x - b.x || a.y - b.y)
        .map(({ what }) => what),
    );
  const read = () =>
    page
      .locator(".home .column > :visible")
      .evaluateAll((all) => all.map((one) => one.className.replace("card", "").trim()));
  await page.goto(url);
  await page.locator(".seeks").waitFor();
  await page.locator(".featured .live-card").waitFor();
  expect((await seen()).slice(0, 5)).toEqual(["play", "seeks", "find-player", "command-line", "featured"]);
  expect(await seen()).toEqual(await read());
  // The counts stand apart from what is said of how to play.
  const [how, here] = [await page.locator(".lead p").first().boundingBox(), await page.locator(".here").boundingBox()];
  expect(here?.x).toBeGreaterThan((how?.x ?? Number.NaN) + (how?.width ?? 0) + 30);
  await page.setViewportSize({ width: 390, height: 740 });
  const parts = async () => (await seen()).filter((part) => part !== "live");
  await expect.poll(parts).toEqual(["play", "seeks", "featured", "find-player", "all-games", "command-line", "apart"]);
  expect(await seen()).toEqual(await read());
});

test("leaving the pool gives the focus back to Play", { tags: "nightly" }, async () => {
  const { page, url } = await server.person();
  await page.goto(url);
  await page.getByRole("button", { name: /^10\+5/u }).click();
  await stopWaiting(page);
  await expect.poll(() => focused(page)).toBe("BUTTON Play 10+5");
});

test("the last games stand on the home page as boards, with opponent, result and whether they were rated", {
  tags: "nightly",
}, async () => {
  const match = await startGame(server);
  await playOut(match, ["f3", "e5", "g4", "Qh4"]);
  const { white, black } = match;
  const opponent = await white.page.locator(".player[data-color=black] .player-link").innerText();
  for (const { page } of [white, black]) await ended(page, "Checkmate");
  await white.page.getByRole("link", { name: "Zeitnot" }).click();
  const games = white.page.getByRole("region", { name: "Your last games" });
  const card = games.getByRole("link", { name: new RegExp(opponent, "u") });
  await card.getByText("Lost").waitFor();
  await card.getByText("Casual · Blitz · 5+3").waitFor();
  await isClean(white.page, "a home page with last games");
  const desk = white.page.viewportSize();
  // In no language a word of theirs is cut off, and none needs more height than the board beside it.
  await card.getByText("Checkmate").evaluate((reason) => {
    reason.textContent = "Dreimal dieselbe Stellung";
  });
  await card.getByText("Casual · Blitz · 5+3").evaluate((format) => {
    format.textContent = "Nicht gewertet · Schnell · 15+10";
  });
  for (const [width, height] of [
    [320, 568],
    [390, 664],
    [1366, 768],
  ] as const) {
    await white.page.setViewportSize({ width, height });
    const [words, small] = [
      await card.locator(".own-words").boundingBox(),
      await card.locator(".mini-board").boundingBox(),
    ];
    expect(words && small && words.height <= small.height, `${width}x${height}`).toBe(true);
    const cut = await card
      .locator(".own-words > *")
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent));
    expect(cut, `${width}x${height}`).toEqual([]);
  }
  if (desk) await white.page.setViewportSize(desk);
  // From the archive too, in the place that was kept for them.
  await white.page.reload();
  await card.getByText("Checkmate").waitFor();
  await expect.poll(() => games.getByRole("listitem").count()).toBe(1);
  expect(await games.locator(".mini-board .figure").count()).toBe(32);
  await games.getByRole("link", { name: "All your games" }).click();
  await white.page.getByRole("heading", { name: "Finished games" }).waitFor();
  await white.page.goBack();
  await card.click();
  await ended(white.page, "Checkmate");
  await black.page.getByRole("link", { name: "Zeitnot" }).click();
  await black.page.getByRole("region", { name: "Your last games" }).getByText("Won").waitFor();
  expect([...white.errors, ...black.errors]).toEqual([]);
});

test("on a phone the ways to play share two rows in every language, and a board is in the first screen", {
  tags: "nightly",
}, async () => {
  const { page, url } = await server.person({ viewport: { width: 360, height: 740 } });
  await page.goto(url);
  await page.getByRole("button", { name: "Play the computer" }).waitFor();
  await page.getByText("No account needed.").waitFor();
  for (const tag of ["en", "de", "fr", "es"]) {
    await chooseLanguage(page, tag);
    const [first, friend, computer] = await page
      .locator(".start button:not(.play-beside)")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect));
    expect(first && friend && first.bottom <= friend.top, tag).toBe(true);
    expect([computer?.top, computer?.height], tag).toEqual([friend?.top, 48]);
    const shown = await page.locator(".featured .mini-board").boundingBox();
    expect(shown?.y, tag).toBeLessThan(740);
    // No word or clock touches the border of its tile.
    const isTight = await page.locator(".pool > :not(.visually-hidden)").evaluateAll((all) =>
      all.filter((one) => {
        const tile = one.closest("button")?.getBoundingClientRect();
        const text = document.createRange();
        text.selectNodeContents(one);
        return tile && text.getBoundingClientRect().left - tile.left < 5;
      }),
    );
    expect(isTight, tag).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), tag).toBe(360);
    // What may be pasted is said whole.
    const isCut = await page.locator(".command-line input").evaluate((one) => {
      const input = one as HTMLInputElement;
      input.value = input.placeholder;
      const more = input.scrollWidth - input.clientWidth;
      input.value = "";
      return more;
    });
    expect(isCut, tag).toBe(0);
    // The header says in words that one may sign in.
    const signIn = page.locator("header .to-sign-in");
    expect(await signIn.isVisible(), tag).toBe(true);
    expect(await signIn.evaluate((one) => one.scrollWidth - one.clientWidth), tag).toBe(0);
  }
});

test("whoever has an account is not told that none is needed", { tags: "nightly" }, async () => {
  const { page } = await registered(server, "Has_Account");
  await page.getByRole("heading", { name: "Play chess" }).waitFor();
  expect(await page.getByText("No account needed.").count()).toBe(0);
});
