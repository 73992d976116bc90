/** The chat of a game: who reads whom, what is new, what is rejected; by mouse, by keys and on a phone. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isClean } from "./axe";
import {
  board,
  chatInput as input,
  chooseLanguage,
  ended,
  playOut,
  say,
  sees,
  startGame,
  touch,
  type,
  resign,
} from "./steps";
import { type TestServer, type Person, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

const log = (page: Page, who: "players" | "spectators") => page.getByRole("log", { name: `Messages of the ${who}` });

async function reads(page: Page, who: "players" | "spectators", text: string): Promise<void> {
  await log(page, who).getByText(text, { exact: true }).waitFor();
}

async function watcher(path: string): Promise<Person> {
  const person = await server.person();
  await person.page.goto(person.url + path);
  await board(person.page).waitFor();
  return person;
}

describe("the rooms", () => {
  test("players hear players, spectators hear spectators; after the end the players join the spectators", async () => {
    const match = await startGame(server);
    const { white, black } = match;
    const third = await watcher(match.path);
    const fourth = await watcher(match.path);
    await say(white.page, "Good luck!");
    await reads(black.page, "players", "Good luck!");
    await reads(white.page, "players", "Good luck!");
    // Who only watched becomes a guest by speaking.
    await say(third.page, "A fine start");
    await reads(fourth.page, "spectators", "A fine start");
    await reads(third.page, "spectators", "A fine start");
    await say(black.page, "You too");
    await reads(white.page, "players", "You too");
    for (const { page } of [third, fourth]) expect(await page.getByText("Good luck!").count()).toBe(0);
    for (const { page } of [white, black])
      expect([
        await page.getByText("A fine start").count(),
        await page.getByRole("group", { name: "Room" }).count(),
      ]).toEqual([0, 0]);
    await isClean(white.page, "a game with chat");

    await playOut(match, ["f3", "e5", "g4", "Qh4"]);
    for (const { page } of [white, third]) await ended(page, "Checkmate");
    await white.page.getByRole("button", { name: /^Spectators/u }).click();
    await reads(white.page, "spectators", "A fine start");
    await say(white.page, "Thank you");
    await reads(fourth.page, "spectators", "Thank you");
    await isClean(white.page, "both rooms");
    const outside = await white.page.locator(".chat").evaluate((chat) => {
      const { right } = chat.getBoundingClientRect();
      return [...chat.querySelectorAll(".chat-head button")].filter((one) => one.getBoundingClientRect().right > right)
        .length;
    });
    expect(outside, "buttons of the head beside the column").toBe(0);
    for (const { page } of [third, fourth]) expect(await page.getByText("Good luck!").count()).toBe(0);
    expect([...white.errors, ...black.errors, ...third.errors, ...fourth.errors]).toEqual([]);
  });

  test("what was said is there again after a reload, once, and a reconnect doubles nothing", {
    tags: "nightly",
  }, async () => {
    const { white, black } = await startGame(server, {}, { black: { wired: true } });
    await say(white.page, "Hello");
    await say(black.page, "Hi");
    await reads(white.page, "players", "Hi");
    await black.page.reload();
    await reads(black.page, "players", "Hi");
    await reads(black.page, "players", "Hello");
    server.wire.cut();
    await say(white.page, "Still there?");
    await reads(white.page, "players", "Still there?");
    server.wire.mend();
    await reads(black.page, "players", "Still there?");
    expect(await log(black.page, "players").locator("p").count()).toBe(3);
  });
});

test("new lines are counted while nobody looks, and the chat can be hidden for good", { tags: "nightly" }, async () => {
  const { white, black } = await startGame(server);
  await black.page.getByRole("button", { name: "Hide the chat" }).click();
  await say(white.page, "Hello");
  const chat = black.page.getByRole("region", { name: "Chat" });
  await chat.getByText("1 new message").waitFor({ state: "attached" });
  await say(white.page, "Are you there?");
  await chat.getByText("2 new messages").waitFor({ state: "attached" });
  await black.page.reload();
  await black.page.getByRole("button", { name: "Show the chat" }).waitFor();
  expect(await log(black.page, "players").count()).toBe(0);
  await black.page.getByRole("button", { name: "Show the chat" }).click();
  await reads(black.page, "players", "Hello");
  await expect.poll(() => chat.locator(".unread").count()).toBe(0);
});

/** Says these lines as fast as the page takes them. Typed one by one on a slow machine they are not too fast. */
function sayAtOnce(page: Page, lines: readonly string[]): Promise<void> {
  return page.evaluate(async (said) => {
    const line = document.querySelector<HTMLInputElement>("#chat-input");
    const rendered = () => new Promise((done) => setTimeout(done, 20));
    for (const text of said) {
      if (line) line.value = text;
      line?.dispatchEvent(new Event("input", { bubbles: true }));
      await rendered();
      line?.form?.requestSubmit();
      await rendered();
    }
  }, lines);
}

test("a player who posts too fast is told so and keeps the text", async () => {
  const { white, black } = await startGame(server);
  await sayAtOnce(
    white.page,
    Array.from({ length: 12 }, (_, n) => `line ${n + 1}.`),
  );
  await reads(black.page, "players", "line 5.");
  await white.page.locator(".notice").getByText("You are sending messages too fast.").waitFor();
  // On a slow machine the next line is typed before the answer to this one: both are kept.
  await expect.poll(() => input(white.page).inputValue()).toMatch(/^(line \d+\.)+$/u);
  const kept = (await input(white.page).inputValue()).match(/line \d+\./gu) ?? [];
  for (const line of kept) expect(await black.page.getByText(line, { exact: true }).count()).toBe(0);
});

test("by keys alone: the way there, the line, the way back, and a typed word", async () => {
  const match = await startGame(server);
  const { white, black } = match;
  // What comes with the game itself was said before; after a few moves it is news.
  await playOut(match, ["e4", "e5", "Nf3", "Nc6"]);
  await white.page.locator("body").click({ position: { x: 5, y: 860 } });
  await white.page.keyboard.press("c");
  await white.page.keyboard.type("Hello");
  await white.page.keyboard.press("Enter");
  await reads(black.page, "players", "Hello");
  await white.page.keyboard.press("Escape");
  expect(await input(white.page).evaluate((line) => line === document.activeElement)).toBe(false);
  await type(black.page, "say Hi there");
  await reads(white.page, "players", "Hi there");
  // The log reads news out by itself.
  expect(await log(white.page, "players").getAttribute("aria-live")).toBe("polite");
  expect(await input(white.page).getAttribute("maxlength")).toBe("200");
});

describe("on a phone", () => {
  const sheet = (page: Page) => page.locator(".chat-sheet");
  const line = (page: Page) => page.getByRole("region", { name: "Chat" }).getByRole("button");

  test("a line below the game has the last message and how many are new, and opens a sheet below the board", async () => {
    const match = await startGame(server, {}, { white: PHONE });
    const { white, black } = match;
    await playOut(match, ["e4"]);
    await say(black.page, "Hello");
    await line(white.page).getByText("1 new message").waitFor({ state: "attached" });
    expect(await line(white.page).innerText()).toContain(": Hello");
    expect(await white.page.locator(".as-line [aria-live]").getAttribute("aria-live")).toBe("polite");
    expect(await sheet(white.page).count()).toBe(0);
    await line(white.page).tap();
    await reads(white.page, "players", "Hello");
    await line(white.page).getByText("1 new message").waitFor({ state: "detached" });
    // No keyboard comes unasked, and nothing is read out twice.
    expect(await sheet(white.page).evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await white.page.locator(".as-line [aria-live]").getAttribute("aria-live")).toBe("off");
    await input(white.page).tap();
    await white.page.keyboard.type("Hi");
    await sheet(white.page).getByRole("button", { name: "Send" }).tap();
    await reads(black.page, "players", "Hi");
    await sheet(white.page).getByRole("button", { name: "Ready phrases" }).tap();
    await sheet(white.page).getByRole("button", { name: "Good luck!" }).tap();
    await reads(black.page, "players", "Good luck!");
    // The opponent's move is seen, and one's own is played, while it is open.
    await type(black.page, "e5");
    await sees(white.page, "e5", "bp");
    await touch(white.page, "g1", "f3");
    await sees(black.page, "f3", "wn");
    await isClean(white.page, "the chat on a phone");
    expect(await white.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await sheet(white.page).getByRole("button", { name: "Close" }).tap();
    await expect.poll(() => sheet(white.page).count()).toBe(0);
    await expect
      .poll(() => white.page.evaluate(() => document.activeElement?.outerHTML.slice(0, 90)))
      .toContain("chat-line");
  });

  test("an offer that comes while it is open is in it with its answers, in a low window too", async () => {
    const match = await startGame(server, {}, { white: PHONE });
    const { white, black } = match;
    await playOut(match, ["e4", "e5", "Nf3"]);
    await line(white.page).tap();
    await type(black.page, "draw");
    const offer = sheet(white.page).getByRole("group", { name: /offers a draw/u });
    await offer.waitFor();
    // Its place below the sheet is empty: the offer is there once.
    expect(await white.page.getByRole("button", { name: "Accept", exact: true }).count()).toBe(1);
    for (const [width, height] of [
      [320, 568],
      [360, 740],
      [568, 320],
      [667, 375],
    ] as const) {
      await white.page.setViewportSize({ width, height });
      const wrong = await sheet(white.page).evaluate((one) =>
        [...one.querySelectorAll(".status button, .say :is(button, input)")].flatMap((each) => {
          const { left, top, width: wide, height: high } = each.getBoundingClientRect();
          const isTop = each.contains(document.elementFromPoint(left + wide / 2, top + high / 2));
          return isTop && top + high <= innerHeight && high > 43.9 ? [] : [each.outerHTML];
        }),
      );
      expect(wrong, `${width}x${height}`).toEqual([]);
    }
    await isClean(white.page, "an offer in the chat's sheet");
    await offer.getByRole("button", { name: "Accept" }).tap();
    await ended(white.page, "By agreement");
    await sheet(white.page).waitFor({ state: "detached" });
  });

  test("the end of the game shuts it, as it covers the result, but not over words that were not sent", async () => {
    const match = await startGame(server, {}, { white: PHONE });
    const { white, black } = match;
    await playOut(match, ["e4", "e5"]);
    await line(white.page).tap();
    const input = sheet(white.page).getByRole("textbox");
    await input.fill("good");
    await resign(black.page);
    await ended(white.page, "Opponent resigned");
    expect(await input.inputValue()).toBe("good");
    await white.page.reload();
    await ended(white.page, "Opponent resigned");
    await line(white.page).tap();
    await sheet(white.page).waitFor();
  });

  test("by keys: the way to the input, Escape shuts it, and the focus is where it was; hidden, it shows no text", {
    tags: "nightly",
  }, async () => {
    const { white, black } = await startGame(server, {}, { white: PHONE });
    await say(black.page, "Hello");
    const button = white.page.getByRole("button", { name: "Go to the chat, 1 new message" });
    await button.focus();
    await white.page.keyboard.press("c");
    await expect.poll(() => input(white.page).evaluate((one) => one === document.activeElement)).toBe(true);
    await white.page.keyboard.press("Escape");
    await expect.poll(() => sheet(white.page).count()).toBe(0);
    await expect
      .poll(() => white.page.locator(".to-chat").evaluate((one) => one === document.activeElement))
      .toBe(true);
    await white.page.getByRole("button", { name: "Settings" }).tap();
    await white.page.getByRole("checkbox", { name: "Hide the chat" }).check();
    await white.page.keyboard.press("Escape");
    expect(await line(white.page).innerText()).not.toContain("Hello");
    expect(await white.page.locator(".as-line [aria-live]").innerText()).toBe("");
  });

  test("whoever drags the page while it is open covers no clock", { tags: "nightly" }, async () => {
    const { white } = await startGame(server, {}, { white: { viewport: { width: 390, height: 664 } } });
    const { page } = white;
    await page.locator("#chat-line").click();
    await sheet(page).waitFor();
    const places = () =>
      page.locator(".clock, .chat-sheet").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
    const before = await places();
    for (const by of [-400, 400]) {
      await page.mouse.move(100, 20);
      await page.mouse.wheel(0, by);
      await page.waitForTimeout(300);
      expect(await places()).toEqual(before);
    }
  });

  test("board and clocks are in sight while it is open, and where they were after it", {
    tags: "nightly",
  }, async () => {
    const { white, black } = await startGame(server);
    await say(black.page, "Hello");
    const { page } = white;
    // Both rooms, which take room in its head.
    await resign(page);
    await ended(page, /resigned$/u);
    await chooseLanguage(page, "fr");
    for (const [width, height] of [
      [320, 568],
      [360, 430],
      [360, 640],
      [360, 740],
      [390, 664],
      [412, 915],
      [568, 320],
      [667, 375],
      [915, 412],
      [1366, 657],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.evaluate(() => scrollTo(0, 0));
      const before = await board(page).boundingBox();
      await page.locator("#chat-line").evaluate((one: HTMLElement) => one.click());
      await sheet(page).waitFor();
      expect((await board(page).boundingBox())?.x, `the board beside it in ${width}x${height}`).toBe(before?.x);
      const wrong = await page.evaluate(() => {
        const over = document.querySelector(".chat-sheet")?.getBoundingClientRect() ?? new DOMRect();
        return [...document.querySelectorAll("[role=grid], .clock")].flatMap((one) => {
          const { left, right, top, bottom } = one.getBoundingClientRect();
          const isCovered =
            right > over.left + 1 && left < over.right - 1 && bottom > over.top + 1 && top < over.bottom - 1;
          const isOut = top < -1 || bottom > innerHeight + 1 || left < -1 || right > innerWidth + 1;
          return isCovered || isOut ? [`${one.className} ${Math.round(top)} to ${Math.round(bottom)}`] : [];
        });
      });
      expect(wrong, `${width}x${height}`).toEqual([]);
      const log = await page.locator(".chat-sheet .lines").evaluate((one) => one.clientHeight);
      expect(log, `the messages in ${width}x${height}`).toBeGreaterThan(36);
      const small = await sheet(page).evaluate((one) =>
        [...one.querySelectorAll("button, input")]
          .map((each) => [each.getAttribute("aria-label"), each.getBoundingClientRect()] as const)
          .flatMap(([name, box]) => (Math.min(box.width, box.height) < 43.9 ? [name] : [])),
      );
      expect(small, `touch targets in ${width}x${height}`).toEqual([]);
      await page.keyboard.press("Escape");
      await expect.poll(() => sheet(page).count()).toBe(0);
      expect(await board(page).boundingBox(), `${width}x${height}`).toEqual(before);
    }
  });
});
