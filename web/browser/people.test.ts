/** People: a name one chooses, challenges by name with their answers, and the page of a player. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isClean } from "./axe";
import { LOW_WINDOWS } from "./covering";
import { REASONS } from "../src/view/home/IncomingChallenges";
import { announces, board, challengeByName, chooseInMenu, ended, nameOneself, playOut, startGame, type } from "./steps";
import { type TestServer, type Person, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function named(name: string, options: Parameters<TestServer["person"]>[0] = {}): Promise<Person> {
  const person = await server.person(options);
  await person.page.goto(person.url);
  await nameOneself(person.page, name);
  await person.page.getByRole("button", { name: `${name}, guest: menu` }).waitFor();
  return person;
}

test("in a low window what one waits for does not lie over the answers to a challenge, nor over the reasons", {
  tags: "nightly",
}, async () => {
  const [one, other] = [await named("Lowlands"), await named("Highlands")];
  await challengeByName(other.page, "Lowlands");
  await one.page.getByRole("button", { name: /^10\+5/u }).click();
  await one.page.locator(".waiting-dock").getByText("Waiting for an opponent: 10+5").waitFor();
  await one.page.getByRole("button", { name: "Hide", exact: true }).click();
  const reason = one.page.getByRole("button", { name: "Give a reason" });
  for (const [width, height] of LOW_WINDOWS) {
    await one.page.setViewportSize({ width, height });
    const below = await one.page.evaluate(() => {
      scrollTo(0, 0);
      const dock = document.querySelector(".waiting-dock")?.getBoundingClientRect() ?? new DOMRect();
      const answers = [...document.querySelectorAll(".incoming .answer button")];
      return answers.map((answer) => answer.getBoundingClientRect().bottom <= dock.top);
    });
    expect(below, `${width}x${height}`).toEqual([true, true, true]);
    await reason.click();
    const reasons = () =>
      one.page.evaluate(() => {
        const dock = document.querySelector(".waiting-dock")?.getBoundingClientRect() ?? new DOMRect();
        const boxes = [...document.querySelectorAll(".reasons button")].map((reason) => reason.getBoundingClientRect());
        return boxes.map((box) => box.top >= 0 && box.bottom <= dock.top && box.right <= innerWidth);
      });
    await expect
      .poll(reasons, { message: `the reasons to decline at ${width}x${height}` })
      .toEqual(REASONS.map(() => true));
    await reason.click();
  }
});

describe("a name", () => {
  test("is chosen, shown on every page of the account, and kept over a reload", async () => {
    const one = await named("Rook_And_Roll");
    await announces(one.page, "You are now Rook_And_Roll.");
    const second = await one.context.newPage();
    await second.goto(one.url);
    await second.getByRole("button", { name: "Rook_And_Roll, guest: menu" }).waitFor();
    await nameOneself(one.page, "Knight-Owl");
    await second.getByRole("button", { name: "Knight-Owl, guest: menu" }).waitFor();
    await one.page.reload();
    await one.page.getByRole("button", { name: "Knight-Owl, guest: menu" }).waitFor();
    expect(one.errors).toEqual([]);
  });

  test("that cannot be had says why, beside the field", { tags: "nightly" }, async () => {
    await named("Zwischenzug");
    const two = await server.person();
    await two.page.goto(two.url);
    await nameOneself(two.page, "9lives");
    const alert = two.page.getByRole("alert");
    await alert.getByText("This name is not allowed.").waitFor();
    await two.page.getByRole("textbox", { name: "Name" }).fill("zwischenzug");
    await two.page.keyboard.press("Enter");
    await alert.getByText("This name is taken.").waitFor();
    await isClean(two.page, "a name that is taken");
    await two.page.keyboard.press("Escape");
    await two.page.getByRole("dialog").waitFor({ state: "detached" });
  });
});

test("the page of a new player says what comes there, and leads that player to a game", {
  tags: "nightly",
}, async () => {
  const [one, other] = [await named("First_Move"), await named("Onlooker")];
  for (const { page } of [one, other]) await page.goto(`${server.url}/@/First_Move`);
  await other.page.getByText("The games that First_Move finishes come here, with the record.").waitFor();
  // A guest has no rating to begin with.
  expect(await other.page.getByRole("region", { name: "Ratings" }).count()).toBe(0);
  expect(await other.page.getByRole("main").getByRole("link").count()).toBe(0);
  // There is nothing to look for among.
  expect(await other.page.getByRole("button", { name: "Filters" }).count()).toBe(0);
  await one.page.getByText("The games that you finish come here, with your record.").waitFor();
  await isClean(one.page, "the page of a new player");
  expect(await one.page.getByRole("region", { name: "Record" }).count()).toBe(0);
  await one.page.getByRole("link", { name: "Play a game" }).click();
  await one.page.getByRole("heading", { name: "Play chess" }).waitFor();
  expect([...one.errors, ...other.errors]).toEqual([]);
});

describe("a challenge by name", () => {
  test("comes at once, is declined with a reason, and the reason is shown and said", async () => {
    const [one, two] = [await named("Patzer"), await named("Fianchetto")];
    await challengeByName(one.page, "fianchetto");
    await one.page.getByText("Only fianchetto can accept").waitFor();
    await announces(two.page, "Patzer challenges you: Casual · Blitz · 5+3");
    // It stands in the header, with all that there is to know, and put away on the page.
    const toast = two.page.getByRole("region", { name: "Challenge", exact: true });
    const calls = two.page.getByRole("region", { name: "Challenges to you" });
    await toast.getByText("Casual · Blitz · 5+3 · you get a random colour").waitFor();
    expect(await calls.count()).toBe(0);
    await isClean(two.page, "a challenge that came");
    await toast.getByRole("button", { name: "Hide", exact: true }).click();
    await calls.getByText("Casual · Blitz · 5+3 · you get a random colour").waitFor();
    expect(await toast.count()).toBe(0);
    await calls.getByRole("button", { name: "Give a reason" }).click();
    await isClean(two.page, "reasons to decline");
    await calls.getByRole("button", { name: "Too fast for me" }).click();
    await calls.waitFor({ state: "detached" });
    await announces(one.page, "fianchetto declines: “Too fast for me”");
    await one.page.getByRole("heading", { name: "fianchetto declines: “Too fast for me”" }).waitFor();
    expect(await one.page.locator(".notice").isVisible()).toBe(false);
    // The form has the terms, to change one of them.
    await one.page.getByRole("button", { name: "Change the terms" }).click();
    const form = one.page.getByRole("dialog", { name: "Challenge Fianchetto" });
    expect(await form.locator(".tiles [aria-pressed=true]").innerText()).toBe("5+3");
    await isClean(one.page, "the terms of a declined challenge");
    await form.getByRole("button", { name: "Close" }).click();
    await one.page.getByRole("link", { name: "Play somebody else" }).click();
    // It was read on its page, so the home page does not tell it again.
    await one.page.getByRole("heading", { name: "Play chess" }).waitFor();
    expect(await one.page.getByRole("main").getByText("Too fast for me").count()).toBe(0);
    expect([...one.errors, ...two.errors]).toEqual([]);
  });

  test("is accepted where one is, and both are led to the game", async () => {
    const [one, two] = [await named("Isolani"), await named("Hanging_Pawn")];
    await two.page.goto(`${two.url}/@/Isolani`);
    await two.page.getByRole("heading", { name: "Isolani" }).waitFor();
    await challengeByName(one.page, "Hanging_Pawn");
    await two.page.getByRole("link", { name: /^Isolani challenges you\s+Casual · Blitz · 5\+3/u }).click();
    await isClean(two.page, "a challenge on its page");
    await two.page.getByRole("button", { name: "Accept the challenge from Isolani" }).click();
    for (const { page } of [one, two]) await board(page).waitFor();
    await one.page.getByText("Hanging_Pawn").first().waitFor();
  });

  test("to nobody says so", { tags: "nightly" }, async () => {
    const one = await named("Echo");
    await challengeByName(one.page, "Nobody_Here");
    const field = one.page.getByRole("combobox", { name: "Name of the player" });
    await one.page.locator(".player-field").getByText("There is no such player.").waitFor();
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await one.page.locator(".notice.error").count()).toBe(0);
    await isClean(one.page, "a challenge to nobody");
    await field.fill("Nobody_H");
    expect(await field.getAttribute("aria-invalid")).toBe("false");
    const command = one.page.getByRole("textbox", { name: "Link or code, or a command" });
    await command.fill("challenge Nobody_Here");
    await command.press("Enter");
    await one.page.locator(".command-line").getByText("There is no such player.").waitFor();
  });

  test("is not sent twice: the second says that the first is open", { tags: "nightly" }, async () => {
    const [one, two] = [await named("Zugzwang"), await named("Tempo_Move")];
    await challengeByName(one.page, "Tempo_Move");
    await announces(two.page, "Zugzwang challenges you: Casual · Blitz · 5+3");
    await one.page.goto(one.url);
    // The row begins with the player.
    const row = one.page.getByRole("region", { name: "Your challenges" }).getByRole("listitem");
    await expect.poll(() => row.innerText()).toMatch(/^Tempo_Move\s+Casual · Blitz · 5\+3/u);
    expect(await row.getByRole("button", { name: "Copy the link" }).count()).toBe(0);
    await challengeByName(one.page, "Tempo_Move");
    await one.page.locator(".notice").getByText("You have already challenged this player.").waitFor();
    await two.page.getByRole("button", { name: "Hide", exact: true }).click();
    expect(await two.page.getByRole("region", { name: "Challenges to you" }).getByRole("listitem").count()).toBe(1);
    expect(await two.page.getByRole("region", { name: "Challenge", exact: true }).count()).toBe(0);
  });

  test("is answered by typing", { tags: "nightly" }, async () => {
    const [one, two] = [await named("Luft"), await named("Tempo")];
    const line = (page: Page) => page.getByRole("textbox", { name: "Link or code, or a command" });
    await line(one.page).fill("challenge Tempo");
    await one.page.keyboard.press("Enter");
    await announces(two.page, "Luft challenges you: Casual · Blitz · 5+3");
    await line(two.page).fill("accept");
    await two.page.keyboard.press("Enter");
    for (const { page } of [one, two]) await announces(page, /The game begins/u);
  });
});

describe("a player's page", () => {
  test("lists the finished games with opponent, result and PGN, and challenges", async () => {
    const match = await startGame(server);
    const { white, black } = match;
    await playOut(match, ["f3", "e5", "g4", "Qh4"]);
    await ended(white.page, "Checkmate");
    await nameOneself(white.page, "Loser");
    await white.page.getByRole("button", { name: "Loser, guest: menu" }).waitFor();
    await chooseInMenu(white.page, "Your games and ratings");
    const row = white.page.locator(".games > li").first();
    await row.getByText("Lost").waitFor();
    // The link led by the account; the address to send has the name.
    await expect.poll(() => white.page.url()).toBe(`${white.url}/@/Loser`);
    await row.getByText("Checkmate").waitFor();
    await row.getByText("2 moves").waitFor();
    await isClean(white.page, "a player's page");
    const download = white.page.waitForEvent("download");
    await row.getByRole("link", { name: /^PGN of/u }).click();
    expect((await download).suggestedFilename()).toBe(`${match.path.slice(1)}.pgn`);

    await black.page.goto(`${black.url}/@/Loser`);
    await black.page.getByRole("heading", { name: "Loser" }).waitFor();
    await black.page.getByText("online", { exact: true }).waitFor();
    // The score of the two, and the games behind it among one's own.
    await black.page.getByText("You 1 – 0 Loser").getByRole("link", { name: "1 game" }).click();
    await black.page.locator(".counts").getByText("Games: 1").waitFor();
    await black.page.getByRole("button", { name: "Remove “Opponent: Loser”" }).waitFor();
    await black.page.goBack();
    await black.page.getByText("You 1 – 0 Loser").waitFor();
    // What one can do is in one line with the name, and on a phone below it at the left.
    const places = () =>
      Promise.all(
        [
          black.page.getByRole("heading", { name: "Loser" }),
          black.page.getByRole("button", { name: "Challenge Loser" }),
        ].map(async (part) => (await part.boundingBox()) ?? { x: -1, y: -1, height: 0 }),
      );
    const [wideName, wideButton] = await places();
    expect(wideButton && wideName && wideButton.y < wideName.y + wideName.height).toBe(true);
    const size = black.page.viewportSize() ?? { width: 1280, height: 720 };
    await black.page.setViewportSize({ width: 390, height: 740 });
    const [name, button] = await places();
    expect(button && name && button.y >= name.y + name.height).toBe(true);
    expect(button?.x).toBeCloseTo(name?.x ?? -1, 0);
    await black.page.setViewportSize(size);
    const place = await black.page.locator(".games").boundingBox();
    await black.page.getByRole("button", { name: "Challenge Loser" }).click();
    const dialog = black.page.getByRole("dialog", { name: "Challenge Loser" });
    // With the terms of their last game, and nothing has moved behind it.
    await expect
      .poll(() => black.page.evaluate(() => document.activeElement?.textContent), { timeout: 5_000 })
      .toBe("5+3");
    expect(await black.page.locator(".games").boundingBox()).toEqual(place);
    await isClean(black.page, "a challenge in a dialog");
    await dialog.getByRole("button", { name: "10+0" }).click();
    await dialog.getByRole("button", { name: "Send the challenge" }).click();
    await announces(white.page, /challenges you: Casual · Rapid · 10\+0/u);
    await black.page.getByRole("heading", { name: "Waiting for Loser" }).waitFor();
    await black.page.goBack();
    await black.page
      .locator(".games > li")
      .getByRole("link", { name: /against/u })
      .first()
      .click();
    await ended(black.page, "Checkmate");
    expect([...white.errors, ...black.errors]).toEqual([]);
  });

  test("fits a phone, shows the games that go on, and nobody is nobody", { tags: "nightly" }, async () => {
    const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
    const match = await startGame(server, {}, { white: phone });
    await nameOneself(match.white.page, "Pocket");
    await match.white.page.getByRole("button", { name: "Pocket, guest: menu" }).waitFor();
    await type(match.white.page, "e4");
    await match.white.page.goto(`${match.white.url}/@/Pocket`);
    await match.white.page
      .getByRole("region", { name: "Playing now" })
      .getByRole("link", { name: /^Watch/u })
      .waitFor();
    await isClean(match.white.page, "a player's page on a phone");
    // Who plays stands beside the board, also on the narrowest phone.
    await match.white.page.setViewportSize({ width: 320, height: 568 });
    const parts = match.white.page.locator(".live-card").first().locator(".mini-board, .live-name");
    const [top, board, bottom] = await parts.evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));
    expect(Math.min(top?.left ?? 0, bottom?.left ?? 0)).toBeGreaterThan(board?.right ?? 999);
    expect(board?.height).toBeGreaterThan((bottom?.bottom ?? 999) - (top?.top ?? 0));
    await match.white.page.setViewportSize({ width: 360, height: 740 });
    expect(await match.white.page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await match.white.page.goto(`${match.white.url}/@/Nobody_Here`);
    await match.white.page.getByRole("heading", { name: "There is no such player" }).waitFor();
    // The name can be mended there, and names that begin so are offered.
    expect(await match.white.page.getByRole("combobox", { name: "Find a player" }).inputValue()).toBe("Nobody_Here");
    await isClean(match.white.page, "the page of nobody");
    await match.white.page.goto(`${match.white.url}/@/Pockte`);
    await match.white.page.getByRole("link", { name: "Pocket", exact: true }).click();
    await match.white.page.getByRole("heading", { name: "Pocket", exact: true }).waitFor();
    // A guest who has chosen no name stands on the page, and nobody is found by that name.
    await match.white.page.goto(`${match.white.url}/@/Guest-A6AEN`);
    await match.white.page.getByRole("heading", { name: "Guests cannot be found by such a name" }).waitFor();
    const find = match.white.page.getByRole("combobox", { name: "Find a player" });
    await find.fill("guest");
    await match.white.page
      .locator(".suggestions")
      .getByText("Guests cannot be found by such a name. You meet them in the open games, or by a link that they send.")
      .waitFor();
  });

  test("is found by the beginning of a name, and of several names all are listed", async () => {
    await Promise.all(["Quillon", "Zukertort_A", "Zukertort_B"].map((name) => named(name)));
    const { page, url, errors } = await server.person();
    await page.goto(url);
    const field = page.getByRole("combobox", { name: "Find a player" });
    const search = page.getByRole("button", { name: "Search" });
    await field.fill("quil");
    await search.click();
    await page.getByRole("heading", { name: "Quillon", exact: true }).waitFor();
    await page.goBack();
    await field.fill("zukertort");
    await search.click();
    await page.getByRole("heading", { name: "Players whose names begin with “zukertort”" }).waitFor();
    const rows = page.locator(".people-list li");
    expect(await rows.locator("a").allInnerTexts()).toEqual(["Zukertort_A", "Games", "Zukertort_B", "Games"]);
    // With whether they are here, and what kind of account it is of a player without a rating.
    await expect.poll(() => rows.first().innerText()).toMatch(/^Zukertort_A\s+(?:online|offline)\s+account\s+Games$/u);
    for (const link of await rows.locator("a").all())
      expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await isClean(page, "several players of a beginning");
    await page.getByRole("link", { name: "Games of Zukertort_A" }).click();
    await expect.poll(() => new URL(page.url()).search).toBe("?player=Zukertort_A");
    expect(errors.filter((error) => !error.includes("404"))).toEqual([]);
  });

  test("stands with the whole name among those that are suggested, however long it is", {
    tags: "nightly",
  }, async () => {
    const { page, url } = await server.person({ viewport: { width: 390, height: 740 } });
    const names = ["Anderssen,Adolf", "Andreikin,Dmitry Vladimirovich,the Younger"];
    await page.route("**/api/games/names?*", (route) => route.fulfill({ json: { names } }));
    await page.goto(url);
    await page.getByRole("combobox", { name: "Find a player" }).fill("and");
    const rows = page.locator(".suggestions li");
    await expect.poll(() => rows.allInnerTexts()).toEqual(names.map((name) => `${name} games played elsewhere`));
    const more = await rows.evaluateAll((all) => all.map((row) => row.scrollWidth - row.clientWidth));
    expect(more).toEqual([0, 0]);
    const words = page.locator(".suggested").last();
    expect(await words.evaluate((one) => getComputedStyle(one).overflow), "nothing is cut").toBe("visible");
    await isClean(page, "names that are suggested");
  });

  test("is followed without an account, too", { tags: "nightly" }, async () => {
    await named("Renowned");
    const { page, url, errors } = await server.person();
    await page.goto(`${url}/@/Renowned`);
    await page.getByRole("button", { name: "Follow", exact: true }).click();
    await announces(page, "You follow Renowned.");
    expect(await page.getByRole("button", { name: "Block or report" }).count()).toBe(0);
    await page.goto(url);
    await page
      .getByRole("region", { name: "Players you follow" })
      .getByRole("button", { name: "Challenge Renowned" })
      .waitFor();
    expect(errors).toEqual([]);
  });

  test("is followed from there, and stands on the home page while one does", { tags: "nightly" }, async () => {
    const [one, other] = [await named("Follower"), await named("Followed")];
    await one.page.goto(`${one.url}/@/Followed`);
    await one.page.getByRole("button", { name: "Follow", exact: true }).click();
    await announces(one.page, "You follow Followed.");
    await one.page.getByRole("button", { name: "Following" }).waitFor();
    await one.page.goto(one.url);
    const list = one.page.getByRole("region", { name: "Players you follow" });
    await list.getByText("online", { exact: true }).waitFor();
    await isClean(one.page, "home with a player who is followed");
    await list.getByRole("button", { name: "Challenge Followed" }).click();
    await one.page.getByRole("dialog", { name: "Challenge Followed" }).getByRole("button", { name: "Close" }).click();
    const third = await named("Third");
    await challengeByName(third.page, "Followed");
    await other.page.getByRole("button", { name: "Accept the challenge" }).click();
    await board(other.page).waitFor();
    // Whoever comes back to the page finds what has become of them meanwhile.
    await one.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await list.getByText("playing Third").waitFor();
    await list.getByRole("link", { name: "Watch Followed" }).click();
    await board(one.page).waitFor();
    // Against oneself it is no game to watch.
    await third.page.goto(`${third.url}/@/Followed`);
    await third.page.getByRole("button", { name: "Follow", exact: true }).click();
    await announces(third.page, "You follow Followed.");
    await third.page.goto(third.url);
    const own = third.page.getByRole("region", { name: "Players you follow" });
    await own.getByText("playing you").waitFor();
    expect(await own.getByRole("link", { name: /^Watch/u }).count()).toBe(0);
    // Whoever is not here takes a line with the others who are not.
    await other.context.close();
    const away = list.getByText("1 offline");
    const isAway = async (): Promise<boolean> => {
      await one.page.goto(one.url);
      await list.locator("li").first().waitFor({ state: "attached" });
      return away.isVisible();
    };
    await expect.poll(isAway, { timeout: 30_000 }).toBe(true);
    await away.click();
    await list.getByRole("link", { name: "Followed", exact: true }).waitFor();
    await one.page.goto(`${one.url}/@/Followed`);
    await one.page.getByRole("button", { name: "Stop following" }).click();
    await announces(one.page, "You no longer follow Followed.");
    await one.page.goto(one.url);
    await one.page.getByRole("button", { name: "Play a friend" }).waitFor();
    expect(await list.count()).toBe(0);
    expect([...one.errors, ...other.errors]).toEqual([]);
  });
});
