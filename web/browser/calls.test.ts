/** Called back: notifications while the page is hidden, marks on tab and app, challenges during and after a game, the phone. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { isClean } from "./axe";
import { LANGUAGES } from "../src/text";
import { covering } from "./covering";
import { follow, hide, told, withDevice } from "./device";
import {
  announces,
  board,
  challengeByName,
  chooseLanguage,
  createGame,
  ended,
  join,
  nameOneself,
  playOut,
  setUpChallenge,
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

async function person(permission: NotificationPermission = "granted", options = {}): Promise<Person> {
  const one = await server.person(options);
  await withDevice(one.context, permission);
  return one;
}

async function named(name: string, one: Person): Promise<Person> {
  await one.page.goto(one.url);
  await nameOneself(one.page, name);
  await one.page.getByRole("button", { name: `${name}, guest: menu` }).waitFor();
  return one;
}

const titles = async (page: Page): Promise<string[]> => (await told(page)).notifications.map(({ title }) => title);

test("who waits is asked by a button, once and never by itself, and is then called into the game", async () => {
  const white = await person("default");
  const path = await createGame(white, { color: "White" });
  await isClean(white.page, "waiting, with the button");
  expect((await told(white.page)).asked).toBe(0);
  await white.page.getByRole("button", { name: "Notify me" }).focus();
  await white.page.keyboard.press("Enter");
  await white.page.getByText("You will be notified when you are elsewhere.").waitFor();
  expect(await white.page.evaluate(() => document.activeElement?.id)).toBe("notify-about");
  expect((await told(white.page)).asked).toBe(1);
  await hide(white.page, true);
  const black = await server.person();
  await join(black, path);
  await expect.poll(() => told(white.page).then(({ notifications }) => notifications.length)).toBe(1);
  const [call] = (await told(white.page)).notifications;
  expect(call?.title).toMatch(/^Your game against Guest-\w+ begins$/u);
  expect(call).toMatchObject({ body: "The game begins. You play White.", tag: path.slice(1) });
});

test("hidden: one's move, a draw offered and the end; seen: nothing", async () => {
  const white = await person();
  const black = await server.person();
  const path = await createGame(white, { color: "White" });
  await join(black, path);
  await board(white.page).waitFor();
  await playOut({ white, black, path }, ["e4", "e5"]);
  expect(await titles(white.page)).toEqual([]);
  await type(white.page, "Nf3");
  await hide(white.page, true);
  await type(black.page, "Nc6");
  await expect.poll(() => titles(white.page)).toEqual([expect.stringMatching(/^Your move against Guest-/u)]);
  expect((await told(white.page)).notifications[0]?.body).toBe("Black: Nc6");
  await type(black.page, "draw");
  await expect.poll(() => titles(white.page)).toHaveLength(2);
  expect((await titles(white.page))[1]).toMatch(/^Guest-\w+ offers a draw$/u);
  await resign(black.page);
  await expect.poll(() => titles(white.page)).toHaveLength(3);
  expect((await titles(white.page))[2]).toBe("You win");
  expect(white.errors).toEqual([]);
});

test("a challenge calls who is elsewhere, and following the notification opens it", { tags: "nightly" }, async () => {
  const rook = await named("Rook-Lift", await person());
  const other = await named("Pawn-Storm", await server.person());
  await hide(rook.page, true);
  await challengeByName(other.page, "Rook-Lift");
  await expect.poll(() => titles(rook.page)).toEqual(["Pawn-Storm challenges you"]);
  await follow(rook.page);
  await rook.page.getByRole("heading", { name: "Pawn-Storm challenges you" }).waitFor();
});

test("title, icon and badge say that it is one's move", async () => {
  const white = await person();
  const black = await person();
  const path = await createGame(white, { color: "White" });
  await join(black, path);
  await board(white.page).waitFor();
  const icon = (page: Page) => page.locator("link[rel=icon]").getAttribute("href");
  await expect.poll(() => told(white.page).then(({ badge }) => badge)).toBe(1);
  expect(await icon(white.page)).toContain("icon-marked");
  expect(await white.page.title()).toContain("Your turn");
  expect(await icon(black.page)).not.toContain("icon-marked");
  await type(white.page, "e4");
  await expect.poll(() => told(black.page).then(({ badge }) => badge)).toBe(1);
  await expect.poll(() => icon(black.page)).toContain("icon-marked");
  await expect.poll(() => told(white.page).then(({ badge }) => badge)).toBe(0);
  expect(await icon(white.page)).not.toContain("icon-marked");
});

const WINDOWS = [
  [320, 568],
  [360, 740],
  [667, 375],
  [1024, 600],
  [1440, 900],
] as const;

/** A challenge stands in the header, or below it where that is too narrow: the ways to other pages can be pressed. */
async function standsApart(page: Page, at: string): Promise<void> {
  const { bar, header, home, small, cut } = await page.evaluate(() => {
    const box = (one: Element | null) => one?.getBoundingClientRect() ?? new DOMRect();
    const brand = document.querySelector("header .brand");
    const { x, y, width, height } = box(brand);
    const buttons = [...document.querySelectorAll(".toast button")].map((one) => box(one));
    const words = [...document.querySelectorAll<HTMLElement>(".toast-words > *, .toast-name, .toast button")];
    return {
      bar: box(document.querySelector(".toast")),
      header: box(document.querySelector("header.top")),
      home: brand?.contains(document.elementFromPoint(x + width / 2, y + height / 2)),
      small: buttons.filter((one) => Math.min(one.width, one.height) < 43.9 || one.right > innerWidth).length,
      cut: words.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.innerText),
    };
  });
  const isWithin = bar.y >= header.y && bar.bottom <= header.bottom + 1;
  expect(isWithin || bar.y >= header.bottom - 1, at).toBe(true);
  // Below the header there is room for all words.
  expect([header.y, home, small, isWithin ? [] : cut], at).toEqual([0, true, 0, []]);
}

test("while one plays, a challenge is a number in the header and is read out; after the game it is shown, and answered by keys", async () => {
  const rook = await named("Fianchetto", await person());
  const other = await named("Zugzwang", await server.person());
  const rival = await server.person();
  const path = await createGame(rook, { color: "White" });
  await join(rival, path);
  await board(rook.page).waitFor();
  await playOut({ white: rook, black: rival, path }, ["e4", "e5"]);
  const focus = () => rook.page.evaluate(() => document.activeElement?.outerHTML);
  const before = await focus();
  const place = await board(rook.page).boundingBox();
  await challengeByName(other.page, "Fianchetto");
  const toast = rook.page.getByRole("region", { name: "Challenge" });
  await announces(rook.page, /^Zugzwang challenges you/u);
  await rook.page.locator("header .badge").getByText("1").waitFor();
  expect(await toast.count()).toBe(0);
  expect(await focus()).toBe(before);
  expect(await board(rook.page).boundingBox()).toEqual(place);
  await resign(rook.page);
  await toast.getByText("Zugzwang challenges you").waitFor();
  expect(await board(rook.page).boundingBox()).toEqual(place);
  await isClean(rook.page, "a challenge after a game");
  for (const language of covering(["en", "de"], ["de"])) {
    await rook.page.setViewportSize({ width: 1440, height: 900 });
    await chooseLanguage(rook.page, language);
    for (const [width, height] of WINDOWS) {
      await rook.page.setViewportSize({ width, height });
      await standsApart(rook.page, `${language}, ${width}x${height}`);
    }
  }
  await rook.page.setViewportSize({ width: 1440, height: 900 });
  await chooseLanguage(rook.page, "en");
  // From the start of the page: the skip link, home, games and analysis, then the challenge.
  await rook.page.locator("header a.brand").focus();
  for (let link = 0; link < 3; link += 1) await rook.page.keyboard.press("Tab");
  expect(await rook.page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Zugzwang/u);
  await rook.page.keyboard.press("Escape");
  await toast.waitFor({ state: "detached" });
  expect(await rook.page.evaluate(() => document.activeElement?.tagName)).toBe("A");

  // It waits on the home page; the next one is declined from the game.
  const third = await named("Tempo-Gain", await server.person());
  await challengeByName(third.page, "Fianchetto");
  await toast.getByText("Tempo-Gain challenges you").waitFor();
  await toast.getByRole("button", { name: /Decline.*Tempo-Gain|Tempo-Gain.*Decline/iu }).click();
  await toast.waitFor({ state: "detached" });
  await third.page
    .getByText(/declines$/u)
    .first()
    .waitFor();
  // Beside an analysis it stands with the header as well.
  await rook.page.goto(`${rook.url}/analysis`);
  await toast.getByText("Zugzwang challenges you").waitFor();
});

test("on a phone a challenge moves nothing, is seen however far one has scrolled, and takes no press aimed elsewhere", {
  tags: "nightly",
}, async () => {
  const phone = await named(
    "Outpost",
    await person("granted", { viewport: { width: 390, height: 740 }, hasTouch: true }),
  );
  const other = await named("Skewer", await server.person());
  const { page, url } = phone;
  const tile = page.getByRole("button", { name: /^3\+0/u });
  const before = await tile.boundingBox();
  await page.clock.install();
  await challengeByName(other.page, "Outpost");
  const toast = page.getByRole("region", { name: "Challenge", exact: true });
  const list = page.getByRole("region", { name: "Challenges to you" });
  await toast.getByText("Casual · Blitz · 5+3").waitFor();
  expect(await tile.boundingBox()).toEqual(before);
  const accept = toast.getByRole("button", { name: "Accept the challenge from Skewer" });
  const decline = toast.getByRole("button", { name: /Decline.*Skewer/u });
  // They look as they will, and take no press at first.
  const early = toast.getByRole("button", { name: /Skewer/u, disabled: true });
  const looks = (of: typeof early) =>
    of.evaluateAll((all) =>
      all.map((one) => [getComputedStyle(one).opacity, getComputedStyle(one).color, getComputedStyle(one).cursor]),
    );
  const atFirst = await looks(early);
  expect(atFirst.length).toBe(2);
  const others = [toast.getByRole("link"), toast.getByRole("button", { name: "Hide", exact: true })];
  for (const one of [...(await early.all()), ...others]) await one.dispatchEvent("click");
  expect([new URL(page.url()).pathname, await toast.count()], "nor do its words and Hide").toEqual(["/", 1]);
  await page.clock.fastForward(700);
  expect(await looks(toast.getByRole("button", { name: /Skewer/u, disabled: false }))).toEqual(atFirst);
  await page.evaluate(() => scrollTo(0, 900));
  await isClean(page, "a challenge on a page that is scrolled");
  const [one, two] = [await accept.boundingBox(), await decline.boundingBox()];
  if (!one || !two) throw new Error("there are no answers");
  expect(Math.min(one.width, one.height, two.width, two.height)).toBeGreaterThanOrEqual(44);
  expect(two.x - one.x - one.width).toBeGreaterThanOrEqual(8);
  expect([await accept.innerText(), await decline.innerText()]).toEqual(["Accept", "Decline"]);
  await standsApart(page, "scrolled");
  // Put away it waits on the home page, which somebody has asked for by that.
  await page.evaluate(() => scrollTo(0, 0));
  await toast.getByRole("button", { name: "Hide", exact: true }).click();
  await list.getByRole("button", { name: "Accept the challenge from Skewer" }).waitFor();
  expect(await toast.count()).toBe(0);
  // On any other page it stands below the header too.
  await page.goto(`${url}/analysis`);
  await toast.waitFor();
  await standsApart(page, "analysis");
});

test("on a phone a bar below the header says who asks for which game, whole in every language", {
  tags: "nightly",
}, async () => {
  const rook = await named("Overprotection", await server.person());
  const other = await named("Wilhelmina_Steinitz7", await server.person());
  const { page } = rook;
  await setUpChallenge(other.page);
  await other.page.getByRole("combobox", { name: "Name of the player" }).fill("Overprotection");
  await other.page.getByRole("radio", { name: "White" }).check({ force: true });
  await other.page.getByRole("button", { name: "Send the challenge" }).click();
  await page.locator(".toast").waitFor();
  for (const language of LANGUAGES) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await chooseLanguage(page, language);
    for (const [width, height] of [
      [320, 568],
      [360, 640],
      [390, 740],
    ] as const) {
      await page.setViewportSize({ width, height });
      await standsApart(page, `${language} at ${width}`);
    }
  }
  await isClean(page, "a challenge below the header");
});

/** What one presses and cannot bring out from under the way back to a running game. */
async function coveredByBar(page: Page): Promise<string[]> {
  await page.locator(".waiting-bar").waitFor();
  return page.evaluate(() => {
    const isCovered = (one: HTMLElement): boolean => {
      if (one.getBoundingClientRect().width <= 1) return false;
      one.scrollIntoView({ block: "center", behavior: "instant" });
      const bar = document.querySelector(".waiting-bar")?.getBoundingClientRect() ?? new DOMRect();
      const { left, right, top, bottom } = one.getBoundingClientRect();
      return right > bar.left && left < bar.right && bottom > bar.top + 0.5 && top < bar.bottom - 0.5;
    };
    return [...document.querySelectorAll<HTMLElement>("main :is(a, button, input), header :is(a, button)")]
      .filter(isCovered)
      .map((one) => one.innerText || (one.ariaLabel ?? one.outerHTML));
  });
}

test("the way back to a running game covers one line of a phone, and nothing that cannot be brought out from under it", {
  tags: "nightly",
}, async () => {
  const { white, black } = await startGame(server);
  await playOut({ white, black, path: "" }, ["e4", "e5"]);
  const { page, url } = white;
  const invitation = await createGame(await server.person());
  for (const [width, height] of [
    [320, 568],
    [390, 740],
    [667, 375],
    [844, 390],
    [1280, 560],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const path of [invitation, "/games", "/analysis"]) {
      await page.goto(url + path);
      await page.getByRole("main").getByRole("button").first().waitFor();
      // In a low window it is in the header, between the links.
      expect(await coveredByBar(page), `${path} at ${width}x${height}`).toEqual([]);
    }
    const bar = await page.locator(".waiting-bar").boundingBox();
    expect(bar?.height, `${width}x${height}`).toBeLessThan(width < 390 ? 70 : 50);
    const link = await page.locator(".waiting-bar a").boundingBox();
    expect(link?.height, `${width}x${height}`).toBeGreaterThanOrEqual(43);
  }
  // Wide and low too it stands in the header, apart from all links.
  const inHeader = await page.locator(".waiting-bar").boundingBox();
  expect((inHeader?.y ?? 99) + (inHeader?.height ?? 99)).toBeLessThanOrEqual(60);
  await page.setViewportSize({ width: 844, height: 390 });
  await isClean(page, "the way back to a game in a low window");
});

test("the screen stays on while one plays by the clock, and a phone vibrates on one's move", async () => {
  const white = await person();
  const black = await person("granted", { hasTouch: true, isMobile: true });
  const path = await createGame(white, { color: "White" });
  await join(black, path);
  const guest = await person();
  await guest.page.goto(guest.url + path);
  await board(guest.page).waitFor();
  for (const { page } of [white, black]) await expect.poll(() => told(page).then(({ screens }) => screens)).toBe(1);
  expect((await told(guest.page)).screens).toBe(0);
  await playOut({ white, black, path }, ["e4", "e5"]);
  expect((await told(black.page)).vibrations).toBe(1);
  await expect.poll(() => told(white.page).then(({ vibrations }) => vibrations)).toBe(1);
  await black.page.getByRole("button", { name: "Settings" }).click();
  await black.page.getByRole("checkbox", { name: "Vibrate on my move" }).uncheck();
  await black.page.keyboard.press("Escape");
  await playOut({ white, black, path }, ["Nf3"], 2);
  await black.page.getByText("Your turn").waitFor();
  expect((await told(black.page)).vibrations).toBe(1);
  await resign(white.page);
  await ended(black.page, /resigned$/u);
  for (const { page } of [white, black]) await expect.poll(() => told(page).then(({ screens }) => screens)).toBe(0);
});

test("who waits for a move of days is asked too, and no screen is kept on", { tags: "nightly" }, async () => {
  const white = await person("default");
  const black = await server.person();
  const path = await createGame(white, { color: "White", kind: "Days per move" });
  await join(black, path);
  await board(white.page).waitFor();
  expect(await white.page.getByRole("button", { name: "Notify me" }).count()).toBe(0);
  await type(white.page, "e4");
  await white.page.getByRole("button", { name: "Notify me" }).waitFor();
  expect((await told(white.page)).screens).toBe(0);
});
