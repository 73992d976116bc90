/** The page of the finished games of everybody, and the ways that lead there. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isClean } from "./axe";
import { board, ended, nameOneself, playOut, resign, startGame } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test("games of everybody are listed and searched, by a player too, whose side they are then told from", async () => {
  const visitor = await server.person();
  await visitor.page.goto(`${visitor.url}/games`);
  await visitor.page.getByText("No game has been finished here yet.").waitFor();
  await visitor.page.getByRole("link", { name: "Play a game" }).waitFor();
  const match = await startGame(server);
  await playOut(match, ["f3", "e5", "g4", "Qh4"]);
  await ended(match.white.page, "Checkmate");
  const winner = "Rook_And_Roll";
  await nameOneself(match.black.page, winner);
  const { page, url, errors } = await server.person();
  await page.goto(url);
  await page.getByRole("link", { name: "Games", exact: true }).click();
  await page.getByRole("heading", { name: "Games", level: 1 }).waitFor();
  // A visitor without an account has no games.
  expect(await page.locator(".lists a").allInnerTexts()).toEqual(["All games", "Played elsewhere"]);
  const rows = page.locator(".games > li");
  await expect.poll(() => rows.count()).toBe(1);
  expect(await rows.first().locator(".player-link").count(), "both players").toBe(2);
  await rows.getByText("0–1").waitFor();
  await isClean(page, "the games of everybody");
  // On a desk the form is open. Before a player is named nobody's opponent or side can be looked for, which their fields say.
  const opponent = page.getByRole("combobox", { name: "Opponent" });
  const side = page.getByRole("combobox", { name: "Played as" });
  expect([await opponent.isEditable(), await opponent.getAttribute("placeholder")]).toEqual([false, "Needs a player"]);
  expect(await side.locator("option").allInnerTexts()).toEqual(["Needs a player"]);
  for (const field of [opponent, side]) expect(await field.getAttribute("aria-disabled")).toBe("true");
  await page.locator("#filters select").first().selectOption({ label: "1–0" });
  await page.getByText("No game matches.").waitFor();
  await page.locator("#filters").getByRole("button", { name: "Clear" }).click();
  await expect.poll(() => rows.count()).toBe(1);
  const places = () =>
    page
      .locator("#filters :is(input, select, button)")
      .evaluateAll((all) => all.map((one) => [one.getBoundingClientRect().left, one.getBoundingClientRect().top]));
  const before = await places();
  await page.getByRole("combobox", { name: "Player" }).fill(winner);
  expect(await side.locator("option").allInnerTexts()).toEqual(["Any", "White", "Black"]);
  expect([await opponent.isEditable(), await opponent.getAttribute("aria-disabled")]).toEqual([true, "false"]);
  expect(await places(), "nothing moves while one types").toEqual(before);
  await page.keyboard.press("Enter");
  await page.getByText("Games: 1 · won 1 · drawn 0 · lost 0").waitFor();
  expect(await rows.first().locator(".player-link").count(), "the opponent").toBe(1);
  await page.getByText(`Games of ${winner}`).waitFor();
  expect(new URL(page.url()).search).toBe(`?player=${winner}`);
  // Whoever comes back from a game finds the form as open as it was, and the list in its place.
  const place = (await page.locator(".counts").boundingBox())?.y;
  await rows.first().locator(".game-link").click();
  await board(page).waitFor();
  await page.goBack();
  await page.getByText("Games: 1 · won 1 · drawn 0 · lost 0").waitFor();
  expect(await page.locator("#filters").isVisible()).toBe(true);
  expect((await page.locator(".counts").boundingBox())?.y).toBe(place);
  await page.goBack();
  await page.getByText(/^Games: 1$/u).waitFor();
  await rows.first().locator(".game-link").click();
  await board(page).waitFor();
  expect(errors).toEqual([]);
});

test("the field for a player suggests names, and one that is chosen counts at once", { tags: "nightly" }, async () => {
  const { page: registered, url } = await server.person();
  await registered.goto(`${url}/robots.txt`);
  await registered.evaluate(async () => {
    const body = JSON.stringify({ name: "Suggested", password: "correct horse battery" });
    await fetch("/api/account/register", { method: "POST", headers: { "content-type": "application/json" }, body });
  });
  const { page } = await server.person();
  await page.goto(`${url}/games`);
  const field = page.getByRole("combobox", { name: "Player" });
  await field.pressSequentially("sugg");
  const option = page.getByRole("option", { name: "Suggested account", exact: true });
  await option.waitFor();
  expect((await option.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  expect(await field.getAttribute("aria-expanded")).toBe("true");
  await isClean(page, "suggestions of a filter");
  // Escape closes the list, and an arrow key opens it again with the first one chosen.
  await field.press("Escape");
  expect([await option.count(), await field.getAttribute("aria-expanded")]).toEqual([0, "false"]);
  await field.press("ArrowDown");
  expect(await option.getAttribute("aria-selected")).toBe("true");
  expect(await field.getAttribute("aria-activedescendant")).toBe(await option.getAttribute("id"));
  await field.press("Enter");
  await expect.poll(() => new URL(page.url()).search).toBe("?player=Suggested");
  await expect.poll(() => field.inputValue()).toBe("Suggested");
  expect(await field.evaluate((one) => one === document.activeElement)).toBe(true);
  // So does a press.
  await page.goBack();
  await field.fill("sugg");
  await option.click();
  await expect.poll(() => new URL(page.url()).search).toBe("?player=Suggested");
  // For what stands there no longer nothing is suggested, and Enter without a choice closes the list.
  await field.press("ArrowDown");
  expect(await option.count()).toBe(0);
  await field.fill("sugge");
  await option.waitFor();
  await field.press("Enter");
  await option.waitFor({ state: "detached" });
  expect(await field.getAttribute("aria-expanded")).toBe("false");
});

test("on a phone one field at the head of the list leads to the games of a player or with an opening", async () => {
  const match = await startGame(server);
  await playOut(match, ["e4", "c6", "d4", "d5"]);
  await resign(match.white.page);
  await ended(match.black.page, /resigned$/u);
  const name = "Sought_After";
  await nameOneself(match.black.page, name);
  const { page, url, errors } = await server.person({ viewport: { width: 320, height: 568 }, hasTouch: true });
  await page.goto(`${url}/games`);
  const field = page.getByRole("combobox", { name: "Player or opening" });
  await field.waitFor();
  const box = await field.boundingBox();
  expect(box?.height).toBeGreaterThanOrEqual(44);
  expect((box?.y ?? 999) + (box?.height ?? 999), "in the first screen").toBeLessThan(300);
  await isClean(page, "the games of everybody on a phone");
  // What is found as a player and what as an opening is said, and Enter guesses nothing.
  await field.pressSequentially("caro-k");
  const openings = page.getByRole("group", { name: "Opening" });
  await openings.getByRole("option", { name: "All with “caro-k” in the name Games: 1", exact: true }).waitFor();
  await page.locator(".suggestions").getByText("Nobody has a name that begins with “caro-k”.").waitFor();
  await page.getByRole("status").getByText("Nobody has a name that begins with “caro-k”.").waitFor();
  await openings
    .getByRole("option", { name: /^B1\d Caro-Kann Defense/u })
    .first()
    .waitFor();
  expect(await page.getByRole("group", { name: "Player" }).count()).toBe(0);
  for (const option of await openings.getByRole("option").all())
    expect((await option.boundingBox())?.height).toBeGreaterThanOrEqual(43.9);
  await isClean(page, "a player or an opening to choose");
  // A press on a heading chooses nothing, and leaves the list open.
  await openings.getByText("Opening", { exact: true }).click();
  expect([await openings.count(), await field.getAttribute("aria-expanded")]).toEqual([1, "true"]);
  await field.press("Enter");
  await page.waitForTimeout(500);
  expect([new URL(page.url()).search, await openings.count()]).toEqual(["", 1]);
  await field.press("ArrowDown");
  await field.press("Enter");
  await page.getByRole("button", { name: "Remove “Opening: caro-k”" }).waitFor();
  await page.getByText(/^Games: 1$/u).waitFor();
  // It stands among the conditions, and the field is free for another one, which is added.
  await expect.poll(() => field.inputValue()).toBe("");
  // How many games fit both nobody says.
  await field.fill("kann");
  await openings.getByRole("option", { name: "All with “kann” in the name", exact: true }).waitFor();
  await page.waitForTimeout(500);
  await openings.getByRole("option", { name: "All with “kann” in the name", exact: true }).waitFor({ timeout: 1_000 });
  await field.fill(name);
  await field.press("Enter");
  await page.getByText(`Games of ${name}`).waitFor();
  expect(new URL(page.url()).search).toBe(`?player=${name}&opening=caro-k`);
  await page.goBack();
  await page.getByText(/^Games: 1$/u).waitFor();
  // The form has fields for both.
  await page.getByRole("button", { name: "Filters", exact: true }).click();
  await field.waitFor({ state: "detached" });
  expect(errors).toEqual([]);
});

test("that field claims nothing that was not answered, and has no row for all openings with a code or a whole name", {
  tags: "nightly",
}, async () => {
  const { page, url } = await server.person({ viewport: { width: 390, height: 740 } });
  await page.goto(`${url}/games`);
  const field = page.getByRole("combobox", { name: "Player or opening" });
  const list = page.locator(".suggestions");
  for (const [words, first] of [
    ["B10", /^B10/u],
    ["caro-kann defense", /^B10 Caro-Kann Defense/u],
    ["caro", /^All with “caro”/u],
  ] as const) {
    await field.fill(words);
    await page.getByRole("option", { name: first }).first().waitFor();
    expect(await list.getByText("All with").count(), words).toBe(words === "caro" ? 1 : 0);
  }
  // A sentence is no list that one could choose from, and of guests it says more.
  await field.fill("guest-a");
  await list.getByText("Guests cannot be found by such a name. You meet them in the open games").waitFor();
  expect(await field.getAttribute("aria-expanded")).toBe("false");
  // A server with too much to do does not know who there is: Enter leads nowhere.
  await page.route("**/api/games/names?*", (route) => route.fulfill({ status: 503, json: {} }));
  await field.fill("B12");
  await page.getByRole("option", { name: /^B12/u }).first().waitFor();
  expect(await list.getByText("Nobody has a name").count()).toBe(0);
  await field.press("Enter");
  await page.waitForTimeout(500);
  expect([new URL(page.url()).search, await list.count()]).toEqual(["", 1]);
  // Whoever has left the field meanwhile is shown no list.
  await page.unrouteAll();
  await page.route(/\/api\/openings/u, async (route) => {
    await new Promise((done) => setTimeout(done, 600));
    await route.continue();
  });
  await field.fill("caro");
  await field.press("Enter");
  await field.blur();
  await page.waitForTimeout(1_200);
  expect([new URL(page.url()).search, await list.count()]).toEqual(["", 0]);
});

test("whoever opens a game with words in that field stays at the game when the words are understood", async () => {
  const match = await startGame(server);
  await playOut(match, ["e4", "c6"]);
  await resign(match.white.page);
  await ended(match.black.page, /resigned$/u);
  const { page, url } = await server.person({ viewport: { width: 390, height: 740 } });
  await page.goto(`${url}/games`);
  const field = page.getByRole("combobox", { name: "Player or opening" });
  await field.waitFor();
  const game = page.locator(".games .game-link").first();
  await game.waitFor();
  // The answers come when the game is there.
  let answer = (): void => undefined;
  const isThere = new Promise<void>((done) => {
    answer = done;
  });
  await page.route(/\/api\/(openings|players\?|games\/names)/u, async (route) => {
    await isThere;
    await route.continue();
  });
  const asked = page.waitForRequest(/\/api\/openings/u);
  await field.fill("ca");
  await field.press("Enter");
  await game.click();
  await asked;
  await board(page).waitFor();
  const path = new URL(page.url()).pathname;
  const found = page.waitForResponse(/\/api\/openings/u);
  answer();
  await found;
  await page.waitForTimeout(300);
  expect(new URL(page.url()).pathname).toBe(path);
});

test("the header leads there on a phone with room for it, and the menu of the account on every one", {
  tags: "nightly",
}, async () => {
  for (const locale of ["en-GB", "de-DE", "fr-FR", "es-ES"]) {
    const { page, url } = await server.person({ viewport: { width: 390, height: 740 }, locale });
    await page.goto(url);
    const link = page.locator("header > .to-games");
    await expect.poll(() => link.isVisible()).toBe(true);
    // The name of the site, and what follows it: nothing lies over anything, nor leaves the window.
    for (const width of [390, 360, 320]) {
      await page.setViewportSize({ width, height: 740 });
      expect(await link.isVisible(), `${locale} ${width}`).toBe(width >= 360);
      const parts = await page
        .locator("header.top > *")
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).filter((part) => part.width > 0));
      for (const [n, part] of parts.entries())
        expect(part.left, `${locale} ${width} ${n}`).toBeGreaterThanOrEqual((parts[n - 1]?.right ?? 0) - 0.5);
      expect(parts.at(-1)?.right, `${locale} ${width}`).toBeLessThanOrEqual(width);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), locale).toBe(width);
    }
    await page.locator("header .you").click();
    await page.locator("header .menu-items a[href='/games']").click();
    await expect.poll(() => new URL(page.url()).pathname).toBe("/games");
  }
});

test("games that were aborted are not among those of everybody until they are asked for", {
  tags: "nightly",
}, async () => {
  const match = await startGame(server);
  await match.white.page.getByRole("button", { name: "Abort" }).click();
  await ended(match.black.page, "Aborted");
  const { page, url } = await server.person();
  const row = page.locator(`.games a.game-link[href="${match.path}"]`);
  await page.goto(`${url}/games`);
  await page.getByText(/^Games: \d+$/u).waitFor();
  expect(await row.count()).toBe(0);
  for (const asked of ["result=noResult", "reason=aborted"]) {
    await page.goto(`${url}/games?${asked}`);
    await row.waitFor();
  }
});

const isApart = (one: DOMRect, two: DOMRect) =>
  Math.max(one.top, two.top) >= Math.min(one.bottom, two.bottom) - 0.5 ||
  Math.max(one.left, two.left) >= Math.min(one.right, two.right) - 0.5;

test("on a phone the home page leads there, and a game of two players takes a sixth of the screen", {
  tags: "nightly",
}, async () => {
  const match = await startGame(server);
  await playOut(match, ["f3", "e5", "g4", "Qh4"]);
  const { page, url } = await server.person({ viewport: { width: 360, height: 740 }, hasTouch: true });
  await page.goto(url);
  await page.getByRole("link", { name: "All games" }).tap();
  const row = page.locator(".games > li").first();
  await expect.poll(() => row.locator(".player-link").count()).toBe(2);
  // No link lies over another one. Those to the players are 24 px high, the others as high as a finger, as is the card.
  const links = await row
    .locator("a:not(.game-link)")
    .evaluateAll((all) => all.map((link) => link.getBoundingClientRect()).filter((box) => box.width > 0));
  expect(links.length, "two players, the opening, the analysis").toBe(4);
  for (const [n, one] of links.entries())
    for (const two of links.slice(n + 1)) expect(isApart(one, two), `${one.top} ${two.top}`).toBe(true);
  for (const [n, { height }] of links.entries()) expect(height).toBeGreaterThanOrEqual(n < 2 ? 23.5 : 43.9);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  // So in every language; the day stands below the board, and the sign for the analysis beside the names.
  for (const locale of ["en-GB", "de-DE", "fr-FR", "es-ES"]) {
    const reader = await server.person({ viewport: { width: 360, height: 740 }, locale });
    await reader.page.goto(`${url}/games`);
    const first = reader.page.locator(".games > li").first();
    await first.waitFor();
    expect((await first.boundingBox())?.height, locale).toBeLessThanOrEqual(124.5);
    const [board, day, sign] = await Promise.all(
      [".mini-board", ".when", ".analyse"].map((part) => first.locator(part).boundingBox()),
    );
    expect(day?.y, locale).toBeGreaterThanOrEqual((board?.y ?? 999) + (board?.height ?? 999));
    expect(sign && Math.min(sign.width, sign.height), locale).toBeGreaterThanOrEqual(44);
    expect(sign && sign.x + sign.width, locale).toBeLessThanOrEqual(360);
    for (const name of await first.locator(".player-link").all()) {
      const box = await name.boundingBox();
      expect(box && box.x + box.width, locale).toBeLessThanOrEqual((sign?.x ?? 0) + 0.5);
    }
  }
});

test("links at the head lead to one's own games, to those that were played elsewhere, and back to all", {
  tags: "nightly",
}, async () => {
  const match = await startGame(server);
  await resign(match.white.page);
  await ended(match.white.page, /resigned$/u);
  const { page, url, errors } = match.white;
  await page.setViewportSize({ width: 390, height: 740 });
  await page.goto(`${url}/games`);
  const lists = page.locator(".lists");
  const current = () => lists.locator("[aria-current=page]").allInnerTexts();
  const places = () => lists.locator("a").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
  await lists.getByRole("link", { name: "Your games" }).waitFor();
  expect(await current()).toEqual(["All games"]);
  const before = await places();
  await lists.getByRole("link", { name: "Your games" }).click();
  // A guest, whom the server finds by the account alone: the page says the name.
  await page.getByText("Games: 1 · won 0 · drawn 0 · lost 1").waitFor();
  await page.locator(".games").getByText("You resigned").waitFor();
  expect(await current()).toEqual(["Your games"]);
  expect(await places(), "nothing moves under a finger").toEqual(before);
  expect(await page.locator(".conditions").count(), "the list itself is no condition").toBe(0);
  await isClean(page, "one's own games among all");
  await page.getByRole("button", { name: "Filters" }).click();
  await expect.poll(() => page.getByRole("combobox", { name: "Player" }).inputValue()).toMatch(/^Guest-/u);
  await page.locator("#filters select").first().selectOption({ label: "Won" });
  await page.getByText("No game matches.").waitFor();
  await page.locator("#filters").getByRole("button", { name: "Clear" }).click();
  await page.getByText("Games: 1 · won 0 · drawn 0 · lost 1").waitFor();
  await lists.getByRole("link", { name: "Played elsewhere" }).click();
  await page.getByText("No game matches.").waitFor();
  expect([new URL(page.url()).search, await current()]).toEqual(["?origin=imported", ["Played elsewhere"]]);
  await page.goBack();
  await expect.poll(current).toEqual(["Your games"]);
  await lists.getByRole("link", { name: "All games" }).click();
  await expect.poll(current).toEqual(["All games"]);
  expect(errors).toEqual([]);
  for (const link of await lists.locator("a").all())
    expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44);
});

test("on a phone the open form fits the window, in every language, with no text cut", { tags: "nightly" }, async () => {
  for (const locale of ["en-GB", "de-DE", "fr-FR", "es-ES"]) {
    const { page, url } = await server.person({ viewport: { width: 390, height: 740 }, locale });
    await page.goto(`${url}/games?result=won&player=Nobody`);
    await page.locator("#filters-button").click();
    await page.locator("#filters button[type=submit]").waitFor();
    const { bottom, small, cut } = await page.locator("#filters").evaluate((form) => {
      const pen = document.createElement("canvas").getContext("2d");
      if (!pen) throw new Error("no canvas");
      const fields = [...form.querySelectorAll<HTMLElement>("input, select, button, summary")];
      const seen = fields.filter((one) => one.checkVisibility());
      const isCut = (one: HTMLInputElement) => {
        const style = getComputedStyle(one);
        pen.font = style.font;
        const room = one.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
        return pen.measureText(one.placeholder).width > room;
      };
      const labels = [...form.querySelectorAll<HTMLElement>(".field > span")];
      return {
        bottom: form.querySelector("button[type=submit]")?.getBoundingClientRect().bottom ?? 9999,
        small: seen.filter((one) => one.getBoundingClientRect().height < 43.9).length,
        cut: [
          ...[...form.querySelectorAll<HTMLInputElement>("input[type=text]")]
            .filter(isCut)
            .map((one) => one.placeholder),
          ...labels.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText),
        ],
      };
    });
    expect(bottom, locale).toBeLessThanOrEqual(740);
    expect([small, cut], locale).toEqual([0, []]);
  }
});

test("on a desk what is said of a game stands in columns, beside a board as large as the window has room for", {
  tags: "nightly",
}, async () => {
  const { page, url } = await server.person({ viewport: { width: 1440, height: 900 } });
  const match = await startGame(server);
  await playOut(match, ["f3", "e5", "g4", "Qh4"]);
  await ended(match.white.page, "Checkmate");
  let count = 12;
  await page.route("**/api/games?*", async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { games: { game: string }[] };
    const [first] = body.games;
    const games = Array.from({ length: count }, (_, n) => ({ ...first, game: `${first?.game.slice(0, 10)}${10 + n}` }));
    await route.fulfill({ response, json: { ...body, games } });
  });
  await page.goto(`${url}/games?reason=checkmate`);
  const row = page.locator(".games > li").first();
  await row.waitFor();
  const lefts = await row
    .locator(".who, .how, .opening, .when, .game-links")
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
  expect(lefts.length).toBe(5);
  expect([...new Set(lefts)].sort((a, b) => a - b)).toEqual(lefts);
  const heights = () =>
    Promise.all(
      [row, row.locator(".mini-board")].map(async (part) => Math.round((await part.boundingBox())?.height ?? 0)),
    );
  expect(await heights(), "seven fit below the head").toEqual([92, 88]);
  await page.setViewportSize({ width: 1366, height: 768 });
  expect(await heights(), "nearly as many in a lower window").toEqual([76, 64]);
  // A few have the same boards, and wherever a row is pressed beside its other links it leads to the game.
  count = 2;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.reload();
  await row.waitFor();
  expect((await heights())[1]).toBe(88);
  const leads = await row.evaluate((one) => {
    const { left, right, top, height } = one.getBoundingClientRect();
    const under = (x: number) => document.elementFromPoint(x, top + height - 3)?.closest("a")?.className;
    return [left + 20, (left + right) / 2, right - 260].map(under);
  });
  expect(leads).toEqual(["game-link", "game-link", "game-link"]);
});

describe("imported games", () => {
  let famous: TestServer;
  beforeAll(async () => {
    famous = await startTestServer({ famous: true });
  });
  afterAll(() => famous.close());

  test("are found by how the names of their players begin, at home and among all games", async () => {
    const { page, url, errors } = await famous.person({ viewport: { width: 390, height: 740 }, hasTouch: true });
    await page.goto(url);
    const search = page.getByRole("combobox", { name: "Find a player" });
    await search.pressSequentially("morp");
    await page.getByRole("option", { name: "Morphy, Paul" }).tap();
    await page.getByRole("button", { name: "Remove “Player: Morphy, Paul”" }).waitFor();
    await page.getByText("Paris Opera").waitFor();
    expect(await page.locator(".games > li").count()).toBe(1);
    // By the only name that begins so, in other letters, without choosing it.
    await page.goto(url);
    await search.fill("ANDERSSEN,");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Remove “Player: Anderssen, Adolf”" }).waitFor();
    await page.getByText("London, Simpson's Divan").waitFor();
    // A name that nobody has is looked for as it stands.
    await page.goto(url);
    await search.fill("Morphy,J");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Remove “Player: Morphy,J”" }).waitFor();
    await page.getByText("No game matches.").waitFor();
    await page.goto(`${url}/games`);
    await page.getByRole("button", { name: "Filters" }).tap();
    await page.getByRole("combobox", { name: "Player" }).pressSequentially("kies");
    await page.getByRole("option", { name: "Kieseritzky, Lionel games played elsewhere", exact: true }).waitFor();
    // The list is wider than its field, and does not leave the window.
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.keyboard.press("Escape");
    // The player is looked for as soon as the field is left, and the form has the whole name then.
    await page.getByRole("combobox", { name: "Opponent" }).focus();
    const player = page.getByRole("combobox", { name: "Player" });
    await expect.poll(() => player.inputValue()).toBe("Kieseritzky, Lionel");
    await page.getByRole("combobox", { name: "Opponent" }).pressSequentially("du");
    const list = await page.getByRole("listbox").boundingBox();
    expect(list && list.x >= 0 && list.x + list.width <= 390 && list.width > 300).toBe(true);
    await page.getByRole("combobox", { name: "Opponent" }).fill("");
    await player.focus();
    // The beginning of just one name is enough, and the games are told from that side; of several one chooses.
    await page.keyboard.press("Enter");
    await page.getByText("Games: 1 · won 0 · drawn 0 · lost 1").waitFor();
    await page.getByRole("button", { name: "Remove “Player: Kieseritzky, Lionel”" }).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get("player")).toBe("Kieseritzky, Lionel");
    // Of a player without an account an opponent is found by a part of the name, too.
    await page.goto(`${url}/games?player=Kieseritzky, Lionel&against=ders`);
    await page.getByText("1 game matches.").waitFor();
    await page.goto(`${url}/games?player=du`);
    await page.getByText("Players whose names begin with “du”").waitFor();
    expect(await page.getByText("No game matches.").count(), "it is not said yet whose are looked for").toBe(0);
    await page.getByRole("link", { name: "Dufresne, Jean" }).tap();
    await page.getByText("Games: 1 · won 0 · drawn 0 · lost 1").waitFor();
    // They are a list of their own, in which a player is one without an account.
    await page.goto(`${url}/games`);
    await page.getByRole("link", { name: "Played elsewhere" }).tap();
    await page.getByText(/^Games: \d+$/u).waitFor();
    await page.goto(`${url}/games?origin=here`);
    await page.getByText("No game matches.").waitFor();
    await page.getByRole("button", { name: "Remove “Games: Played here”" }).waitFor();
    expect(errors).toEqual([]);
  });

  test("say where and when they were played, and have neither clocks nor a chat", { tags: "nightly" }, async () => {
    const { page, url, errors } = await famous.person();
    await page.goto(`${url}/games`);
    await page.getByRole("link", { name: "Morphy, Paul – Duke Karl / Count Isouard", exact: true }).click();
    const details = page.locator(".details");
    await expect
      .poll(() => details.allInnerTexts())
      .toEqual(["Paris Opera · Paris FRA · 1858", expect.stringMatching(/^Philidor/u)]);
    for (const none of [".no-clock", ".clock", ".chat", ".typed", ".to-chat"])
      expect(await page.locator(none).count(), none).toBe(0);
    expect(await page.locator(".status.result .primary").allInnerTexts()).toEqual(["Analyse"]);
    await isClean(page, "an imported game");
    expect(errors).toEqual([]);
  });

  test("are counted in the explorer of openings, whose moves are played by a press", async () => {
    const { page, url, errors } = await famous.person();
    // On a board without a game it is unfolded.
    await page.goto(`${url}/analysis`);
    const rows = page.locator(".explorer tbody tr");
    await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringMatching(/^e4/u)]);
    await isClean(page, "the explorer");
    const starts = await page
      .locator(".explorer :is(thead th, tfoot th):first-child, .explorer tbody th [aria-hidden]")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
    expect(new Set(starts.map(Math.round)).size, "the moves begin below their heading").toBe(1);
    const press = (san: string) =>
      rows
        .filter({ hasText: new RegExp(`^${san}`, "u") })
        .getByRole("button")
        .click();
    await press("e4");
    await press("e5");
    // After 1. e4 e5 the two games part.
    await expect.poll(() => rows.count()).toBe(2);
    await page
      .locator(".explorer")
      .getByRole("img", { name: "White won 100%, drawn 0%, Black won 0%" })
      .last()
      .waitFor();
    await press("f4");
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole("link", { name: "List these games" }).click();
    await page.getByText("London, Simpson's Divan").waitFor();
    expect(await page.locator(".games > li").count()).toBe(1);
    await page.goto(`${url}/analysis?fen=8/8/8/8/8/4k3/4p3/4K3 w - - 0 1`);
    await page.getByText("No game that was finished here had this position").waitFor();
    expect(errors).toEqual([]);
  });

  test("where none had the position, the explorer leads to the last one of the line that another game had", async () => {
    const { page, url, errors } = await famous.person();
    await page.goto(`${url}/games`);
    const game = page.locator(".games > li").filter({ hasText: "London, Simpson's Divan" }).locator(".game-link");
    const id = (await game.getAttribute("href"))?.split("/").at(-1);
    await page.goto(`${url}/analysis/${id}`);
    await page.getByText("Opening explorer", { exact: true }).click();
    const explorer = page.locator("details.explorer");
    await explorer.getByText("No game that was finished here had this position").waitFor();
    const back = explorer.getByRole("button", { name: "Last known position: 1… e5" });
    // That the game itself went on from there counts for nothing.
    await explorer.getByText(/^Games: [23] · King.s Pawn Game$/u).waitFor();
    expect((await back.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await isClean(page, "the way back to a known position");
    await back.press("Enter");
    await expect.poll(() => explorer.locator("tbody tr").count()).toBe(2);
    await expect.poll(() => page.locator(".tree [aria-current]").innerText()).toContain("e5");
    expect(await explorer.locator(".explored").evaluate((one) => one === document.activeElement)).toBe(true);
    expect(errors).toEqual([]);
  });
});
