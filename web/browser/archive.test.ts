/** The search for finished games on a player's page: each condition, how many fit, further pages, and all as PGN. */
import { readFileSync } from "node:fs";
import type { PlayedGame } from "#protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isClean } from "./axe";
import {
  OPPONENT,
  accountOf,
  atSearchOn,
  conditions,
  counts,
  fieldOf,
  found,
  openMore,
  rows,
  search,
  twoGamesOn,
} from "./archiveSteps";
import { board, ended, playOut, startGame, resign, type } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const twoGames = () => twoGamesOn(server);
const atSearch = () => atSearchOn(server);

test("on a phone the links of a row are large enough for a finger, and the analysis is a sign with a name", {
  tags: "nightly",
}, async () => {
  const { white } = await twoGames();
  await white.context.addInitScript(() => Object.defineProperty(navigator, "languages", { get: () => ["en-US"] }));
  await white.page.setViewportSize({ width: 390, height: 664 });
  await white.page.goto(white.url);
  await white.page.getByRole("link", { name: "All your games" }).click();
  await found(white.page, 2);
  const links = rows(white.page).locator(".game-links").getByRole("link");
  expect(await links.allInnerTexts(), "signs alone").toEqual(["", ""]);
  for (const link of await links.all()) {
    expect(await link.getAttribute("aria-label")).toMatch(/^Analyse Guest-\w+ against Guest-\w+$/u);
    const box = await link.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
  }
  const name = await rows(white.page).locator(".player-link").first().boundingBox();
  expect(name?.height).toBeGreaterThanOrEqual(44);
  // A day that nobody reads in two ways.
  expect(await rows(white.page).locator("time").first().innerText()).toMatch(/^\d{1,2} [A-Z]\w+ 20\d\d$/u);
  await white.page.setViewportSize({ width: 1440, height: 900 });
  expect(await rows(white.page).locator("time").first().innerText()).toMatch(/^\d{1,2} [A-Z]\w+ 20\d\d, \d\d:\d\d$/u);
  expect(await links.allInnerTexts(), "on a desk in words").toEqual(["Analyse", "PGN", "Analyse", "PGN"]);
});

test("on a phone one's games come below one's name, each with its moves and its opening in at most two lines", {
  tags: "nightly",
}, async () => {
  const { page, url } = (await twoGames()).white;
  const opening = "Zukertort Opening: Ross Gambit, with a Variation that is Longer than both Lines that it Has Here";
  await page.route("**/api/games?*", async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { games: object[] };
    const games = body.games.map((game) => ({ ...game, opening: { eco: "A06", name: opening } }));
    await route.fulfill({ response, json: { ...body, games } });
  });
  await page.setViewportSize({ width: 390, height: 740 });
  await page.goto(url);
  await page.getByRole("link", { name: "All your games" }).click();
  await found(page, 2);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  const [name, games, record] = await Promise.all(
    [page.locator("h1"), page.locator(".played"), page.getByRole("region", { name: "Record" })].map((part) =>
      part.boundingBox(),
    ),
  );
  expect(name?.y).toBeLessThan(games?.y ?? 0);
  expect(games?.y).toBeLessThan(record?.y ?? Number.POSITIVE_INFINITY);
  const words = rows(page).first().locator(".game-words");
  expect(await words.innerText()).toMatch(/ · \d+\smoves?/u);
  // A long name ends with an ellipsis, and is said whole.
  const link = words.getByRole("link", { name: `Games with ${opening}` });
  expect(await words.getByTitle(opening).count()).toBe(1);
  const lines = await words.getByTitle(opening).evaluate((one) => {
    const line = Number.parseFloat(getComputedStyle(one).lineHeight);
    return [one.clientHeight / line, one.scrollHeight / line].map(Math.round);
  });
  expect([lines[0], (lines[1] ?? 0) > 2]).toEqual([2, true]);
  expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(43.9);
  for (const row of await rows(page).all()) expect((await row.boundingBox())?.height).toBeLessThanOrEqual(124.5);
  // Each count stands in one line, also where the line of them breaks.
  const heights = await page
    .locator(".counts .count")
    .evaluateAll((all) => all.map((one) => one.getClientRects().length));
  expect(new Set(heights)).toEqual(new Set([1]));
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("on a phone the whole name of the opponent stands in each row, however long it is", {
  tags: "nightly",
}, async () => {
  const { page, url } = (await twoGames()).white;
  let name = "Overprotection_WWWW9";
  let isRated = true;
  const account = await accountOf(page);
  await page.route("**/api/games?*", async (route) => {
    const response = await route.fetch();
    const { games, ...rest } = (await response.json()) as { games: PlayedGame[] };
    const renamed = games.map((game) => {
      const side = game.players.white.account === account ? "black" : "white";
      const step = { before: 1500, after: 1662 };
      return {
        ...game,
        ...(isRated && { ratings: { white: step, black: step } }),
        players: { ...game.players, [side]: { ...game.players[side], name } },
      };
    });
    await route.fulfill({ response, json: { ...rest, games: renamed } });
  });
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 740 });
    await page.goto(`${url}/@/${account}?games`);
    await found(page, 2);
    const link = rows(page).first().getByRole("link", { name, exact: true });
    expect(await link.evaluate((one) => one.scrollWidth - one.clientWidth), `${width}`).toBe(0);
    expect((await link.boundingBox())?.height, `${width}`).toBeGreaterThanOrEqual(43.9);
    const sign = await rows(page).first().locator(".analyse").boundingBox();
    const box = await link.boundingBox();
    expect(sign && box && box.x + box.width <= sign.x + 0.5, `${width}`).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width}`).toBe(width);
  }
  [name, isRated] = ["Rook_And_Roll", false];
  await page.goto(`${url}/@/${account}?games`);
  await found(page, 2);
  const link = rows(page).first().getByRole("link", { name, exact: true });
  expect((await link.boundingBox())?.height, "in one line, as it has room").toBeLessThan(46);
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("games are found by every condition, and counted", async () => {
  const page = await atSearch();
  // Of all games the record tells how many were won.
  expect(await counts(page).innerText()).toBe("Games: 2");
  // The opponent's colour beside the opponent's name, the latest game first.
  const colors = await rows(page)
    .getByRole("img")
    .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
  expect(colors).toEqual([expect.stringMatching(/^Guest-\w+ had White$/u), expect.stringMatching(/ had Black$/u)]);
  await isClean(page, "the search for finished games");
  await search(page, { "Played as": "Black", Result: "Lost" });
  await found(page, 1);
  expect(await counts(page).innerText()).toMatch(/^Games: 1 · won \d · drawn \d · lost \d$/u);
  await search(page, { "Ended by": "Checkmate", Category: "Blitz", [OPPONENT]: "Nobody-Here" });
  await found(page, 0);
  // That is said once, and one button clears the filters: that of the form while it is open.
  expect(await page.getByText("No game matches.").count()).toBe(1);
  expect(await page.getByRole("button", { name: /^Clear/u }).count()).toBe(1);
  await page.getByRole("button", { name: "Filters", exact: true }).click();
  expect(await conditions(page)).toEqual(["Opponent: Nobody-Here", "Category: Blitz", "Ended by: Checkmate"]);
  expect(await page.getByRole("button", { name: /^Clear/u }).count()).toBe(1);
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await found(page, 2);
  const button = page.getByRole("button", { name: "Filters", exact: true });
  expect(await button.evaluate((one) => one === document.activeElement)).toBe(true);
  // Cleared is the form, too.
  await page.getByRole("button", { name: "Filters", exact: true }).click();
  await expect.poll(() => fieldOf(page, OPPONENT).inputValue()).toBe("");
  await search(page, { "Ended by": "Checkmate", Category: "Blitz", "Rated or casual": "Casual", From: "2001-01-01" });
  await found(page, 1);
  await search(page, { To: "2001-01-01" });
  await found(page, 0);
  await search(page, { Result: "Won" });
  await found(page, 0);
  // As White and as Black, which is one file.
  await search(page, { Result: "Lost" });
  await found(page, 2);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download these as PGN" }).click();
  const pgn = readFileSync((await (await download).path()) ?? "", "utf8");
  expect(pgn.match(/^\[Event /gmu)?.length).toBe(2);
  // The opponent is a guest, whom the server does not know by name.
  await search(page, { [OPPONENT]: "gUEST" });
  await found(page, 2);
  expect(await counts(page).innerText()).toBe("2 games match.");
}, 120_000);

test("the record tells what became of the games, of many with each side, and a row leads to them", {
  tags: "nightly",
}, async () => {
  const page = await atSearch();
  const record = page.getByRole("region", { name: "Record" });
  const told = () =>
    record.getByRole("listitem").evaluateAll((all) => all.map((one) => one.textContent?.replaceAll("\u00a0", " ")));
  // Of a few games the shares say nothing.
  await expect.poll(told).toEqual(["All games won 0 · drawn 0 · lost 2"]);
  expect(await record.locator(".record-bar").count()).toBe(0);
  let asked = 0;
  page.on("request", (request) => (asked += request.url().includes("/api/games/count?") ? 1 : 0));
  await page.reload();
  await found(page, 2);
  await record.getByText("lost 2").waitFor();
  expect(asked, "the list and the record ask for the same counts once").toBe(2);
  // Ten times as many games.
  await page.route("**/api/games/count?*", async (route) => {
    const response = await route.fetch();
    const counts = Object.entries((await response.json()) as Record<string, unknown>);
    const more = counts.map(([name, count]) => [name, typeof count === "number" ? count * 10 : count]);
    await route.fulfill({ response, json: Object.fromEntries(more) });
  });
  await page.reload();
  // As high as it stays from the moment on when the page is there.
  await page.locator(".player-head").waitFor();
  expect(await record.getByRole("listitem").count()).toBe(3);
  await expect
    .poll(told)
    .toEqual([
      "All games won 0 · drawn 0 · lost 20",
      "As White won 0 · drawn 0 · lost 10",
      "As Black won 0 · drawn 0 · lost 10",
    ]);
  expect(await record.locator(".record-bar").count()).toBe(3);
  await isClean(page, "the record of a player");
  // In a narrow window the games are above, in the place that was asked for before.
  await page.setViewportSize({ width: 800, height: 664 });
  await record.getByRole("link", { name: "As Black" }).click();
  await expect.poll(() => rows(page).count()).toBe(1);
  expect(await conditions(page)).toEqual(["Played as: Black"]);
  const title = page.getByRole("heading", { name: "Finished games" });
  expect(await title.evaluate((one) => one === document.activeElement)).toBe(true);
  const top = (await title.boundingBox())?.y ?? -1;
  expect(top >= 0 && top < 332).toBe(true);
  // A phone has the whole alone; the sides are among the filters.
  await page.setViewportSize({ width: 390, height: 664 });
  expect(await record.getByRole("link", { name: "As Black" }).count()).toBe(0);
  await record.getByRole("link", { name: "All games" }).click();
  await expect.poll(() => rows(page).count()).toBe(2);
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("a game without a result counts among all games, which say so", { tags: "nightly" }, async () => {
  const { white, black } = await startGame(server);
  await white.page.getByRole("button", { name: "Abort" }).click();
  await ended(black.page, "Aborted");
  await black.page.goto(`${black.url}/@/${await accountOf(white.page)}`);
  await expect.poll(() => counts(black.page).innerText()).toBe("Games: 1 · no result 1");
});

test("an opponent who was a guest and has registered since is found by that name, and by its beginning", {
  tags: "nightly",
}, async () => {
  const { white, black } = await startGame(server);
  await resign(white.page);
  await ended(white.page, /resigned$/u);
  await black.page.evaluate(async () => {
    const body = JSON.stringify({ name: "Late_Bloomer", password: "correct horse battery" });
    await fetch("/api/account/register", { method: "POST", headers: { "content-type": "application/json" }, body });
  });
  await white.page.goto(`${white.url}/@/${await accountOf(white.page)}`);
  await white.page.getByRole("button", { name: "Filters" }).click();
  for (const name of ["late_bloomer", "Late_"]) {
    await search(white.page, { [OPPONENT]: "Nobody-Here" });
    await found(white.page, 0);
    await search(white.page, { [OPPONENT]: name });
    await found(white.page, 1);
    // The game has the name of its day, and the card says who that is today.
    await rows(white.page).getByText("(now Late_Bloomer)").waitFor();
  }
  // Where that name leads, the card says under which name the game was played.
  const guest = await rows(white.page).locator(".player-link").innerText();
  await rows(white.page).getByRole("link", { name: guest, exact: true }).click();
  await white.page.getByRole("heading", { name: "Late_Bloomer" }).waitFor();
  await rows(white.page).getByText(`played as ${guest}`).waitFor();
});

test("a choice counts at once, and what is typed when its field is left", { tags: "nightly" }, async () => {
  const page = await atSearch();
  const filters = page.locator("#filters");
  await openMore(page);
  await filters.getByRole("combobox", { name: "Ended by" }).selectOption({ label: "Checkmate" });
  await found(page, 1);
  await filters.getByRole("combobox", { name: "Ended by" }).selectOption({ label: "Any" });
  await found(page, 2);
  await filters.getByLabel("To", { exact: true }).fill("2001-01-01");
  await found(page, 0);
  await filters.getByRole("button", { name: "Clear", exact: true }).click();
  await found(page, 2);
  const opening = filters.getByLabel("Opening", { exact: true });
  await opening.fill("1. f3");
  await opening.press("Tab");
  await found(page, 1);
  await opening.fill("1. e4");
  await opening.press("Enter");
  await found(page, 1);
  // On a phone the form comes into sight as it is opened, and how many fit with it, which lies over none of its fields.
  await page.setViewportSize({ width: 360, height: 740 });
  await page.reload();
  await found(page, 1);
  await page.locator("main").evaluate((main) => {
    main.style.paddingTop = "30rem";
  });
  await page.getByRole("button", { name: "Filters", exact: true }).click();
  const areInSight = async () => {
    const title = await page.locator("#played-title").boundingBox();
    const line = await counts(page).boundingBox();
    return title !== null && line !== null && title.y > 0 && line.y + line.height <= 741;
  };
  await expect.poll(areInSight).toBe(true);
  const isCut = await filters.evaluate((form) => form.scrollWidth > form.clientWidth);
  expect(isCut).toBe(false);
  const form = await filters.boundingBox();
  const box = await counts(page).boundingBox();
  expect(form && box && box.y >= form.y + form.height && box.y + box.height - form.y <= 740).toBe(true);
});

test("games are found by their opening moves, downloaded, and analysed", { tags: "nightly" }, async () => {
  const page = await atSearch();
  const opening = "Opening";
  await search(page, { [opening]: "1. e4 e5 2. Nf4" });
  await page.getByRole("alert").getByText("These opening moves cannot be played.").waitFor();
  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
  await search(page, { [opening]: "1. f3 e5" });
  await found(page, 1);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download these as PGN" }).click();
  const pgn = readFileSync((await (await download).path()) ?? "", "utf8");
  expect(pgn.match(/^\[Event /gmu)?.length).toBe(1);
  expect(pgn).toContain("Qh4#");
  await page.getByRole("link", { name: /^Analyse /u }).click();
  await page.getByRole("heading", { name: /^Analysis: / }).waitFor({ state: "attached" });
  // The whole game, without another press.
  await page.getByRole("button", { name: "Next mistake" }).waitFor({ timeout: 30_000 });
  // Whoever comes back finds the search as it was left.
  await page.goBack();
  await found(page, 1);
  expect(await conditions(page)).toEqual(["Opening: 1. f3 e5"]);
});

test("games are found by the name of their opening, which is suggested, or chosen in a row", async () => {
  const page = await atSearch();
  const field = page.locator("#filters").getByRole("combobox", { name: "Opening", exact: true });
  await field.fill("kings pawn");
  // One that is chosen counts at once.
  await page.getByRole("option", { name: /^[A-E]\d\d King's Pawn Game e4$/u }).click();
  await found(page, 1);
  await search(page, { Opening: "xyzzy" });
  await page.getByRole("alert").getByText("No opening has “xyzzy” in its name.").waitFor();
  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
  // Part of a name is enough.
  await search(page, { Opening: "barnes" });
  await found(page, 1);
  await page.getByRole("button", { name: "Filters", exact: true }).click();
  await expect.poll(() => conditions(page)).toEqual(["Opening: barnes"]);
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await found(page, 2);
  const link = rows(page).first().getByRole("link", { name: "Games with King's Knight Opening" });
  await link.click();
  await found(page, 1);
  await expect.poll(() => conditions(page)).toEqual(["Opening: King's Knight Opening"]);
}, 120_000);

test("a filter has an address, which a reload keeps and Back leaves, also in the form", async () => {
  const page = await atSearch();
  const filters = page.locator("#filters");
  const result = filters.getByRole("combobox", { name: "Result", exact: true });
  const opponent = filters.getByLabel(OPPONENT, { exact: true });
  await result.selectOption({ label: "Lost" });
  await found(page, 2);
  await opponent.fill("nobody");
  await opponent.press("Enter");
  await found(page, 0);
  const query = () => new URL(page.url()).search;
  expect(query()).toBe("?games&against=nobody&result=lost");
  // The focus stays where somebody types.
  expect(await opponent.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.goBack();
  await found(page, 2);
  expect([query(), await opponent.inputValue(), await result.inputValue()]).toEqual(["?games&result=lost", "", "lost"]);
  await page.goForward();
  await found(page, 0);
  await page.reload();
  await found(page, 0);
  expect(await conditions(page)).toEqual(["Opponent: nobody", "Result: Lost"]);
  await page.goBack();
  await page.goBack();
  await found(page, 2);
  expect(query()).toBe("?games");
}, 120_000);

test("on a phone the form makes way for what was found, and each condition goes away by a press", {
  tags: "nightly",
}, async () => {
  const page = await atSearch();
  await page.setViewportSize({ width: 390, height: 740 });
  await search(page, { Result: "Lost", Opening: "1. f3", [OPPONENT]: "gUEST" });
  await found(page, 1);
  await page.locator("#filters").waitFor({ state: "hidden" });
  expect(await conditions(page)).toEqual(["Opponent: gUEST", "Result: Lost", "Opening: 1. f3"]);
  expect(await counts(page).innerText()).toBe("1 game matches.");
  const row = await rows(page).first().boundingBox();
  expect(row && row.y >= 0 && row.y + row.height <= 740).toBe(true);
  await isClean(page, "a search that was made on a phone");
  // The button that opens it again has the focus.
  const button = page.getByRole("button", { name: "Filters", exact: true });
  expect(await button.evaluate((one) => one === document.activeElement)).toBe(true);
  // It and the one that clears all are in the line of the heading, and a finger meets a condition.
  const [head, clear, condition] = await Promise.all(
    [button, page.getByRole("button", { name: "Clear", exact: true }), page.locator(".conditions button").first()].map(
      async (part) => (await part.boundingBox()) ?? { y: -1, height: 0 },
    ),
  );
  expect(clear?.y).toBe(head?.y);
  expect(condition?.height).toBeGreaterThanOrEqual(44);
  await page.getByRole("button", { name: "Remove “Opening: 1. f3”" }).click();
  await found(page, 2);
  expect(await conditions(page)).toEqual(["Opponent: gUEST", "Result: Lost"]);
  expect(await button.evaluate((one) => one === document.activeElement)).toBe(true);
  await button.click();
  // Where nothing was found the form stays, for another try.
  await search(page, { [OPPONENT]: "Nobody-Here" });
  await found(page, 0);
  expect(await page.locator("#filters").isVisible()).toBe(true);
});

test("on a desk each label of the form has one line", { tags: "nightly" }, async () => {
  const page = await atSearch();
  await page.setViewportSize({ width: 1440, height: 900 });
  const lines = await page
    .locator("#filters .field > span")
    .evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(one).lineHeight)),
    );
  expect(lines).toEqual(lines.map(() => expect.closeTo(1, 0)));
});

test("the form fits a phone, and further pages come on request", { tags: "nightly" }, async () => {
  const viewport = { width: 320, height: 568 };
  const match = await startGame(server, {}, { white: { viewport } });
  await resign(match.white.page);
  await ended(match.white.page, /resigned$/u);
  const { page } = match.white;
  // A whole page, and after it one with a game.
  await page.route("**/api/games?*", async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { games: object[]; next?: string };
    const isFirst = !route.request().url().includes("before=");
    const page = Array.from({ length: 50 }, (_, n) => ({ ...body.games[0], game: `Game${n}` }));
    await route.fulfill({ response, json: isFirst ? { games: page, next: "7" } : { games: body.games } });
  });
  await page.goto(`${match.white.url}/@/${await accountOf(page)}`);
  await page.getByRole("button", { name: "Filters" }).click();
  await openMore(page);
  await isClean(page, "the search on a phone");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  const small = await page
    .locator("#filters :is(input, select, button, summary)")
    .evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().height < 44).length);
  expect(small).toBe(0);
  await page.getByRole("button", { name: "Older games" }).click();
  await expect.poll(() => page.getByRole("button", { name: "Older games" }).count()).toBe(0);
  // The page may still ask for more games, and closes with the test.
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("whoever goes back from a game finds the list as it was left, and a link to it begins a new one", async () => {
  const match = await startGame(server);
  await resign(match.white.page);
  await ended(match.white.page, /resigned$/u);
  const { page, url, errors } = await server.person({ viewport: { width: 360, height: 740 } });
  let asked = 0;
  let game: { game: string } | undefined;
  // A whole page, and after it one that begins with the game.
  await page.route("**/api/games?*", async (route) => {
    asked += 1;
    const response = await route.fetch();
    const body = (await response.json()) as { games: { game: string }[] };
    game ??= body.games.find((one) => `/${one.game}` === match.path);
    const others = (name: string, length: number) =>
      Array.from({ length }, (_, n) => ({ ...game, game: `${name}${n}` }));
    const isFirst = !route.request().url().includes("before=");
    const json = isFirst ? { games: others("Newer", 50), next: "7" } : { games: [game, ...others("Older", 9)] };
    await route.fulfill({ response, json });
  });
  const row = rows(page).filter({ has: page.locator(`a.game-link[href="${match.path}"]`) });
  const y = async () => Math.round((await row.boundingBox())?.y ?? -1);
  for (const list of ["/games", `/@/${await accountOf(match.white.page)}?games`]) {
    await page.goto(`${url}${list}`);
    await page.getByRole("button", { name: "Older games" }).click();
    await expect.poll(() => rows(page).count()).toBe(60);
    await row.evaluate((one) => scrollBy(0, one.getBoundingClientRect().top - 300));
    await expect.poll(y).toBe(300);
    // The place is kept as the page scrolls.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const before = asked;
    await row.locator(".game-link").click();
    await board(page).waitFor();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    await page.goBack();
    await expect.poll(() => rows(page).count()).toBe(60);
    await expect.poll(y).toBe(300);
    expect(asked, "nothing is asked for again").toBe(before);
    // Further games come as before.
    expect(await page.getByRole("button", { name: "Older games" }).count()).toBe(0);
  }
  await page.getByRole("link", { name: "Zeitnot" }).click();
  await page.getByRole("link", { name: "All games" }).click();
  await expect.poll(() => rows(page).count()).toBe(50);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  expect(errors).toEqual([]);
  await page.unrouteAll({ behavior: "ignoreErrors" });
}, 60_000);

test("a card leads to its game wherever it is pressed, and by keyboard; the opponent's name to the player's page", {
  tags: "nightly",
}, async () => {
  const match = await startGame(server);
  const { page, url } = match.black;
  await playOut(match, ["e4", "e5"]);
  await resign(page);
  await ended(page, /resigned$/u);
  await page.goto(`${url}/@/${await accountOf(page)}`);
  await rows(page).getByText("Lost").click({ force: true });
  await ended(page, "You lose");
  expect(new URL(page.url()).pathname).toBe(match.path);
  await page.goBack();
  await rows(page)
    .getByRole("link", { name: /^Lost against Guest-/u })
    .focus();
  await page.keyboard.press("Enter");
  await ended(page, "You lose");
  await page.goBack();
  const name = rows(page).getByRole("link", { name: /^Guest-/u });
  const opponent = await name.innerText();
  await name.click();
  await page.getByRole("heading", { name: opponent }).waitFor();
});

test("a game without a result is counted as one, and says neither moves nor whether it was rated", {
  tags: "nightly",
}, async () => {
  const match = await startGame(server);
  await type(match.white.page, "abort");
  await ended(match.white.page, "Aborted");
  const { page, url } = match.black;
  await page.goto(`${url}/@/${await accountOf(match.white.page)}`);
  await page.getByText("You 0 – 0 Guest-").getByRole("link", { name: "1 game without a result" }).click();
  await page.getByText("1 game matches").waitFor();
  await rows(page).getByText("Blitz · 5+3", { exact: true }).waitFor();
  await page.goto(`${url}/@/${await accountOf(page)}?category=blitz`);
  await page.getByText("Games: 1 · won 0 · drawn 0 · lost 0 · no result 1").waitFor();
});

test("on a phone the form stays for a search that found nothing, also one made right after the last was answered", {
  tags: "nightly",
}, async () => {
  const page = await atSearch();
  await page.setViewportSize({ width: 390, height: 740 });
  await search(page, { [OPPONENT]: "gUEST", Result: "Lost" });
  await found(page, 2);
  await page.getByRole("button", { name: "Filters", exact: true }).click();
  const typed = await fieldOf(page, OPPONENT).elementHandle();
  await page.evaluate(async (field) => {
    const input = field as HTMLInputElement;
    const [form, line] = [document.querySelector("#filters"), document.querySelector(".counts")];
    if (!form || !line) throw new Error("there is no form");
    const become = (isAsWanted: () => boolean): Promise<void> =>
      new Promise((done) => {
        const look = new MutationObserver(() => {
          if (!isAsWanted()) return;
          look.disconnect();
          done();
        });
        look.observe(line, { childList: true, subtree: true, characterData: true });
      });
    const press = (name: string): void =>
      [...form.querySelectorAll("button")].find((button) => button.textContent === name)?.click();
    // A busy page has no frames, and effects wait for one.
    window.requestAnimationFrame = () => 0;
    const asked = become(() => line.textContent === "");
    press("Clear");
    await asked;
    const answered = become(() => line.textContent !== "");
    input.focus();
    input.value = "Nobody-Here";
    input.dispatchEvent(new Event("input", { bubbles: true }));
    await answered;
    input.blur();
    await new Promise((done) => setTimeout(done, 5));
    press("Search");
  }, typed);
  await found(page, 0);
  expect(await page.locator("#filters").isVisible()).toBe(true);
});
