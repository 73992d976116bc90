/** Rated games and the people one plays: ratings with their course, ready phrases, muting, blocking, reporting. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isClean } from "./axe";
import {
  announces,
  board,
  chooseInMenu,
  chooseLanguage,
  ended,
  chooseRated,
  openMore,
  registered,
  say,
  sendRegistration,
  setUpSeek,
  startGame,
  type,
  resign,
} from "./steps";
import { type Person, type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const log = (page: Page) => page.getByRole("log");

/** The address of an invitation to a rated game, in which whoever invites plays White. */
async function ratedInvitation({ page, url }: Person): Promise<string> {
  await page.goto(url);
  await page.getByRole("button", { name: "Play a friend" }).click();
  await page.getByRole("radio", { name: "White" }).check({ force: true });
  await chooseRated(page);
  await page.getByRole("button", { name: "Create the link" }).click();
  await page.getByText("Rated · Blitz · 5+3 · you play White").waitFor();
  return new URL(page.url()).pathname;
}

/** A rated game of two who have registered, which Black resigns after a move of each side. */
async function ratedGame(one: Person, two: Person): Promise<void> {
  await two.page.goto(one.url + (await ratedInvitation(one)));
  await two.page.getByText("Rated · Blitz · 5+3").waitFor();
  await two.page.getByRole("button", { name: "Join the game" }).click();
  for (const { page } of [one, two]) await board(page).waitFor();
  await type(one.page, "e4");
  await two.page.getByText("e4").first().waitFor();
  await type(two.page, "e5");
  await one.page.getByText("e5").first().waitFor();
  await resign(two.page);
  await ended(one.page, /resigned$/u);
}

describe("ratings", () => {
  test("are on a player's page with their course, as a picture and as a table", async () => {
    const [one, two] = [await registered(server, "Climber"), await registered(server, "Slider")];
    await ratedGame(one, two);
    // After the game, too, the rating before it stands beside each name, with what the game did.
    for (const color of ["white", "black"])
      await one.page
        .locator(`.player[data-color="${color}"]`)
        .locator(color === "white" ? ".rating-step.up" : ".rating-step.down")
        .getByText(color === "white" ? /^\+\d+$/u : /^−\d+$/u)
        .waitFor();
    await one.page.locator('.player[data-color="white"]').getByText("1500?", { exact: true }).waitFor();
    // On a phone in short behind the result.
    await one.page.setViewportSize({ width: 390, height: 740 });
    await one.page
      .locator(".result-short")
      .getByText(/^1500 → \d{4}$/u)
      .waitFor();
    // Among the games of everybody, on a desk, it stands in the line of the name.
    await one.page.setViewportSize({ width: 1440, height: 900 });
    await one.page.goto(`${one.url}/games`);
    for (const name of ["Climber", "Slider"]) {
      const sat = one.page.locator(".games .opponent").filter({ hasText: name });
      await sat.getByText(/^ → \d{4}$/u).waitFor();
      expect((await sat.boundingBox())?.height, name).toBeLessThan(30);
    }
    await one.page.setViewportSize({ width: 1280, height: 720 });
    await one.page.goto(one.url);
    const last = one.page.getByRole("region", { name: "Your last games" });
    await last
      .getByRole("listitem")
      .getByText(/^\+\d+$/u)
      .waitFor();
    await isClean(one.page, "home with ratings");
    // The rating stands in a line of the head alone, which leads to one's own page and leaves the ways to play in the first
    // screen of a phone.
    const line = one.page.locator(".lead").getByRole("link", { name: /^Your games and ratings:\s+Blitz/u });
    expect(await line.locator("[aria-hidden]").innerText()).toMatch(/^1[5-9]\d\d\?$/u);
    expect(await last.getByText("Blitz 1").count(), "each fact once").toBe(0);
    for (const [width, height] of [
      [390, 740],
      [360, 640],
    ] as const) {
      await one.page.setViewportSize({ width, height });
      const box = await line.boundingBox();
      expect(box && box.height >= 43.9 && box.x + box.width <= width, `${width}x${height}`).toBe(true);
      for (const name of [/^Play 5\+3/u, "Play a friend"]) {
        const way = await one.page.getByRole("button", { name }).boundingBox();
        expect(way && box && way.y >= box.y + box.height && way.y + way.height <= height, `${width}x${height}`).toBe(
          true,
        );
      }
    }
    await one.page.setViewportSize({ width: 1280, height: 720 });
    await line.click();
    await expect.poll(() => one.page.url()).toContain("/@/");
    await ratedGame(one, two);
    await two.page.goto(`${two.url}/@/Climber`);
    const ratings = two.page.getByRole("region", { name: "Ratings" });
    await two.page.getByText(/^Member since [A-Z][a-z]+ 20\d\d$/u).waitFor();
    const rows = two.page.locator(".games > li");
    const blitz = ratings.getByRole("button", { name: /^Blitz/u });
    await blitz.getByText(/^1[5-9]\d\d\?$/u).waitFor();
    await blitz.getByText("2 games").waitFor();
    // Two games are a course: on a desk it is there, beside the games, and a press folds it.
    const chart = ratings.getByRole("slider", { name: /^Blitz: from 1500 to 1\d\d\d, lowest 1500/u });
    await chart.waitFor();
    expect(await blitz.getAttribute("aria-expanded")).toBe("true");
    await blitz.click();
    await chart.waitFor({ state: "detached" });
    await blitz.click();
    await chart.waitFor();
    // Below it stands what the last game did, and of another one after a press of a key or of a pointer, with the way to it.
    const told = ratings.locator("figcaption");
    await expect
      .poll(() => told.innerText())
      .toMatch(/^1[5-9]\d\d → 1\d{3} \(\+\d+\) · \d.* 20\d\d\s+Won against Slider$/u);
    await chart.press("ArrowLeft");
    await expect.poll(() => told.innerText()).toMatch(/^1500 → 1/u);
    expect(await chart.getAttribute("aria-valuetext")).toMatch(/^1500 → 1\d{3} \(\+\d+\), .*, Won against Slider$/u);
    const box = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await two.page.mouse.click(box.x + box.width - 2, box.y + 5);
    await expect.poll(() => told.innerText()).not.toMatch(/^1500 → /u);
    // A pressed point stays on the way to its link.
    await two.page.mouse.move(box.x + 5, box.y + box.height - 5);
    await expect.poll(() => told.innerText()).not.toMatch(/^1500 → /u);
    const shown = await rows.first().locator(".game-link").getAttribute("href");
    expect(await told.getByRole("link").getAttribute("href")).toBe(shown);
    // What stands out: the best win leads to its game.
    await ratings.getByText(/^Highest 1[5-9]\d\d\? \(\d.* 20\d\d\)$/u).waitFor();
    await ratings.getByText(/^Opponents 1\d{3} on average$/u).waitFor();
    const best = ratings.getByRole("link", { name: "Best win against 1500" });
    expect(await best.getAttribute("href")).toBe(await rows.nth(1).locator(".game-link").getAttribute("href"));
    await ratings.getByText("As a table").click();
    await expect.poll(() => ratings.getByRole("row").getByRole("link", { name: "Slider" }).count()).toBe(2);
    await expect.poll(() => ratings.getByRole("row").count()).toBe(3);
    await ratings
      .getByRole("row")
      .nth(2)
      .getByText(/^1500 → 1/u)
      .waitFor();
    await ratings.getByRole("row").nth(1).getByText("Won", { exact: true }).waitFor();
    // Each game says from where to where it took the rating of the player whose page it is, and its opening.
    const gains = () => rows.locator(".gained > [aria-hidden]").allInnerTexts();
    await expect
      .poll(gains)
      .toEqual([
        expect.stringMatching(/^1\d{3} → 1\d{3} \(\+\d+\)$/u),
        expect.stringMatching(/^1500 → 1\d{3} \(\+\d+\)$/u),
      ]);
    // The opponent of the first game had the rating that everybody begins with, and lost some of it.
    await rows
      .nth(1)
      .locator(".opponent")
      .getByText(/→ 1[1-4]\d\d/u)
      .waitFor();
    await rows.nth(1).locator(".opponent").getByText("1500?", { exact: true }).waitFor();
    await rows.first().getByText("King's Pawn Game", { exact: true }).waitFor();
    await isClean(two.page, "a player's ratings");
    // On a phone the games begin in the upper part of the first screen; with the course the mark is explained.
    await two.page.setViewportSize({ width: 360, height: 740 });
    await two.page.reload();
    await rows.first().waitFor();
    await blitz.waitFor();
    await expect.poll(async () => (await rows.first().boundingBox())?.y).toBeLessThan(480);
    // That the rating unfolds is seen, and the room for a finger is there.
    expect(await blitz.locator(".icon-unfold").isVisible()).toBe(true);
    expect((await blitz.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await blitz.click();
    await ratings.getByRole("slider", { name: /^Blitz: from 1500/u }).waitFor();
    await ratings.getByText("? means provisional: too few games lately to rely on it.").waitFor();
    expect(await ratings.getByRole("table").isVisible()).toBe(false);
    await blitz.click();
    await ratings.getByRole("slider").waitFor({ state: "detached" });
    await two.page.setViewportSize({ width: 320, height: 568 });
    // The ratings stand above the games, and whoever wants one's own games sees those.
    await two.page.getByRole("link", { name: "Zeitnot" }).click();
    await two.page.getByRole("link", { name: "All your games" }).click();
    await expect.poll(gains).toEqual([expect.stringMatching(/ \(−\d+\)$/u), expect.stringMatching(/ \(−\d+\)$/u)]);
    const top = async () => (await two.page.getByRole("heading", { name: "Finished games" }).boundingBox())?.y ?? 999;
    await expect.poll(top).toBeLessThan(568 / 2);
    expect(await two.page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await chooseLanguage(two.page, "de");
    await two.page.getByRole("region", { name: "Wertungen" }).waitFor();
    expect(await two.page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    expect([...one.errors, ...two.errors]).toEqual([]);
  });

  test("of a new player are those that everybody begins with", { tags: "nightly" }, async () => {
    const [one, two] = [await registered(server, "Fresh_Start"), await server.person()];
    await two.page.goto(`${one.url}/@/Fresh_Start`);
    const ratings = two.page.getByRole("region", { name: "Ratings" });
    await ratings.getByText("? means provisional: too few games lately to rely on it.").waitFor();
    expect(await ratings.locator(".rating-tiles strong").allInnerTexts()).toEqual(["1500?", "1500?", "1500?"]);
    expect(await ratings.getByRole("button").count()).toBe(0);
    await isClean(two.page, "the ratings of a new player");
    expect([...one.errors, ...two.errors]).toEqual([]);
  });

  test("stand beside the names of players, and an open game may be for some of them only", async () => {
    const [one, two] = [await registered(server, "Selective"), await registered(server, "Newcomer")];
    await setUpSeek(one.page);
    await chooseRated(one.page);
    await openMore(one.page);
    await one.page.getByLabel("from", { exact: true }).fill("1600");
    await isClean(one.page, "a rated game to be listed");
    await one.page.getByRole("button", { name: "Add to the open games" }).click();
    const seek = two.page.getByRole("region", { name: "Open games" }).getByRole("listitem");
    await seek.getByText(/^Rated · /u).waitFor();
    await seek.getByText("rating 1600 or more · you get a random colour").waitFor();
    await seek.getByText("1500?").waitFor();
    await isClean(two.page, "a rated open game");
    await seek.getByRole("button", { name: /^Join Selective/u }).click();
    await two.page.locator(".notice").getByText("for players with other ratings").waitFor();
  });

  test("are told to a guest who is invited before a tap; whoever registers there joins", async () => {
    const one = await registered(server, "Inviter");
    const path = await ratedInvitation(one);
    const guest = await server.person();
    await guest.page.goto(one.url + path);
    await guest.page.getByText("This game is rated: register or sign in to join it.").waitFor();
    expect(await guest.page.getByRole("button", { name: "Join the game" }).count()).toBe(0);
    await isClean(guest.page, "a rated invitation to a guest");
    await guest.page.getByRole("main").getByRole("button", { name: "Register", exact: true }).click();
    await sendRegistration(guest.page, "Invited");
    // New recovery codes can be made at any time.
    await guest.page.getByRole("button", { name: "Done" }).click();
    await guest.page.getByRole("button", { name: "Join the game" }).click();
    for (const { page } of [one, guest]) await board(page).waitFor();
    expect([...one.errors, ...guest.errors]).toEqual([]);
  });

  test("are for those who have registered: a guest is told so", { tags: "nightly" }, async () => {
    const guest = await server.person();
    await guest.page.goto(guest.url);
    await guest.page.getByRole("button", { name: "Play a friend" }).click();
    expect(await guest.page.getByRole("radio", { name: "Rated", exact: true }).isDisabled()).toBe(true);
    await guest.page.getByText("Only registered players play rated games.").waitFor();
  });
});

describe("in the chat", () => {
  test("a ready phrase is read in the reader's language", { tags: "nightly" }, async () => {
    const { white, black } = await startGame(server);
    await chooseLanguage(black.page, "de");
    await white.page.getByRole("button", { name: "Ready phrases" }).click();
    await isClean(white.page, "the ready phrases");
    await white.page.getByRole("button", { name: "Good luck!" }).click();
    await log(white.page).getByText("Good luck!").waitFor();
    await log(black.page).getByText("Viel Glück!").waitFor();
    await white.page.getByRole("button", { name: "Ready phrases" }).press("Enter");
    await white.page.keyboard.press("Escape");
    expect(await white.page.getByRole("button", { name: "Good luck!" }).count()).toBe(0);
    expect([...white.errors, ...black.errors]).toEqual([]);
  });

  test("a player is muted for oneself, also after a reload", async () => {
    const { white, black } = await startGame(server);
    await say(black.page, "so slow");
    await log(white.page).getByText("so slow").waitFor();
    const people = white.page.getByRole("button", { name: "Players in this chat" });
    await people.click();
    await white.page.getByRole("button", { name: /^Mute Guest-/u }).click();
    await isClean(white.page, "the players in a chat");
    await white.page.keyboard.press("Escape");
    expect(await people.evaluate((button) => button === document.activeElement)).toBe(true);
    await white.page.getByText("1 message of a muted player is hidden.").waitFor();
    await say(black.page, "still slow");
    await white.page.getByText("2 messages of muted players are hidden.").waitFor();
    await white.page.reload();
    await white.page.getByText("2 messages of muted players are hidden.").waitFor();
    await people.click();
    await white.page.getByRole("button", { name: /^Unmute Guest-/u }).click();
    await white.page.keyboard.press("Escape");
    await log(white.page).getByText("still slow").waitFor();
  });

  test("what a player wrote is reported with the lines, and the player blocked", async () => {
    const { white, black } = await startGame(server);
    await say(black.page, "first insult");
    await say(black.page, "second insult");
    await log(white.page).getByText("second insult").waitFor();
    await white.page.getByRole("button", { name: "Players in this chat" }).click();
    await white.page.getByRole("button", { name: /^Report Guest-/u }).click();
    const dialog = white.page.getByRole("dialog", { name: /^Report Guest-/u });
    await dialog.getByRole("checkbox", { name: "second insult" }).check();
    await dialog.getByLabel("What happened").fill("Twice.");
    await isClean(white.page, "a report with lines");
    const kept = white.page.waitForResponse(/\/api\/reports$/u);
    await dialog.getByRole("button", { name: "Send the report" }).click();
    expect(await (await kept).json()).toMatchObject({ lines: 1 });
    await announces(white.page, /^Thank you\. Your report has number \d+\.$/u);
    await white.page.getByRole("button", { name: "Players in this chat" }).click();
    await white.page.getByRole("button", { name: /^Block Guest-/u }).click();
    await white.page.getByText(/is blocked\.$/u).waitFor();
    await white.page.keyboard.press("Escape");
    await say(black.page, "third insult");
    await black.page.locator(".notice").getByText("One of you has blocked the other.").waitFor();
  });
});

describe("a player's page", () => {
  test("blocks and unblocks, and the account's page lists who is blocked", { tags: "nightly" }, async () => {
    const [one, two] = [await registered(server, "Quiet_Life"), await registered(server, "Nuisance")];
    await one.page.goto(`${one.url}/@/Nuisance`);
    await one.page.setViewportSize({ width: 390, height: 740 });
    // Quieter than what one does more often, and on a phone all of it is one row.
    await one.page.getByRole("button", { name: "Block or report" }).waitFor();
    const tops = await one.page
      .locator(".player-actions button")
      .evaluateAll((all) => all.map((button) => button.getBoundingClientRect().top));
    expect(new Set(tops).size, String(tops)).toBe(1);
    expect(await one.page.getByRole("button", { name: "Block", exact: true }).count()).toBe(0);
    await one.page.getByRole("button", { name: "Block or report" }).click();
    await one.page.getByRole("button", { name: "Block", exact: true }).click();
    await announces(one.page, "Nuisance is blocked.");
    await one.page.locator(".player-head").getByText("Nuisance is blocked.").waitFor();
    await one.page.getByRole("button", { name: "Block or report" }).click();
    await one.page.getByRole("button", { name: "Unblock" }).waitFor();
    await isClean(one.page, "a blocked player's page");
    await one.page.keyboard.press("Escape");
    await two.page.goto(`${two.url}/@/Quiet_Life`);
    await two.page.getByRole("button", { name: "Challenge Quiet_Life" }).click();
    await two.page.getByRole("button", { name: "Send the challenge" }).click();
    await two.page.locator(".notice").getByText("One of you has blocked the other.").waitFor();
    await chooseInMenu(one.page, "Your account");
    await one.page.getByRole("button", { name: "Unblock Nuisance" }).click();
    await one.page.getByText("You have blocked nobody.").waitFor();
  });

  test("are challenged to a rated game at first, and then as last time, whatever was chosen for a game by link", {
    tags: "nightly",
  }, async () => {
    const [one] = [await registered(server, "Remembers"), await registered(server, "Opposition")];
    const { page, url } = one;
    const isRated = page.getByRole("radio", { name: "Rated", exact: true });
    const open = async (): Promise<void> => {
      await page.goto(`${url}/@/Opposition`);
      await page.getByRole("button", { name: "Challenge Opposition" }).click();
    };
    await open();
    await page.getByRole("button", { name: "Send the challenge (rated)" }).waitFor();
    await page.getByRole("radio", { name: "Casual", exact: true }).check({ force: true });
    await page.getByRole("button", { name: "Send the challenge (casual)" }).click();
    await page.getByText("Only Opposition can accept").waitFor();
    await page.goto(url);
    await page.getByRole("button", { name: "Play a friend" }).click();
    await chooseRated(page);
    await page.getByRole("button", { name: "Create the link (rated)" }).click();
    await page.getByRole("heading", { name: "Waiting for an opponent" }).waitFor();
    await open();
    expect(await isRated.isChecked()).toBe(false);
    await page.goto(url);
    await page.getByRole("button", { name: "Play a friend" }).click();
    expect(await isRated.isChecked()).toBe(true);
    await page.goto(url);
    await page.getByRole("tab", { name: "Custom game" }).click();
    await page.getByRole("radio", { name: "A player" }).check({ force: true });
    expect(await isRated.isChecked()).toBe(false);
    await page.getByRole("radio", { name: "Anybody" }).check({ force: true });
    expect(await isRated.isChecked()).toBe(false);
  });

  test("reports a player", { tags: "nightly" }, async () => {
    const [one] = [await registered(server, "Witness"), await registered(server, "Suspect")];
    await one.page.goto(`${one.url}/@/Suspect`);
    await one.page.getByRole("button", { name: "Block or report" }).click();
    await one.page.getByRole("button", { name: "Report", exact: true }).click();
    const dialog = one.page.getByRole("dialog", { name: "Report Suspect" });
    await isClean(one.page, "a report");
    await dialog.getByLabel("Reason").selectOption({ label: "Cheating" });
    await one.page.getByRole("button", { name: "Send the report" }).click();
    await announces(one.page, /^Thank you\. Your report has number/u);
    expect(one.errors).toEqual([]);
  });
});

test("where one has no rating, or it cannot be read, the line of the home page leads to one's own page by its words", async () => {
  const { page, url } = await registered(server, "Unrated_Yet");
  const line = page.locator(".lead").getByRole("link", { name: "Your games and ratings", exact: true });
  await line.waitFor();
  expect((await line.boundingBox())?.height).toBeGreaterThanOrEqual(43.9);
  await isClean(page, "home without ratings");
  await page.route(/\/api\/players\/[^/]+$/u, (route) => route.abort());
  await page.goto(url);
  await line.waitFor();
  await page.unroute(/\/api\/players\/[^/]+$/u);
  await line.click();
  await page.getByRole("heading", { name: "Unrated_Yet" }).waitFor();
});
