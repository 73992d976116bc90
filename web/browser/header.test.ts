/** The header of every page: its places, what has the focus in it, and what is behind a dialog. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { isClean } from "./axe";
import {
  GOOD_PASSWORD,
  accountButton,
  board,
  challengeByName,
  chooseInMenu,
  nameOneself,
  offerDraw,
  playOut,
  registered,
  sendRegistration,
  startGame,
} from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ computer: true });
});
afterAll(() => server.close());

test("with the first game nothing moves in the header, in any language", { tags: "nightly" }, async () => {
  for (const locale of ["en-GB", "de-DE", "fr-FR", "es-ES"]) {
    const { context, page, url } = await server.person({ locale });
    await page.goto(url);
    const sizes = [360, 390, 800, 1440];
    const parts = page.locator("header.top > *");
    const places = async () => {
      const all = [];
      for (const width of sizes) {
        await page.setViewportSize({ width, height: 740 });
        all.push(
          await parts.evaluateAll((found) => found.map((one) => one.getBoundingClientRect().toJSON() as DOMRect)),
        );
      }
      return all;
    };
    await page.locator("#play").waitFor();
    const before = await places();
    await page.locator("#play").click();
    await page.locator("header .to-sign-in").waitFor({ state: "detached" });
    expect(await places(), locale).toEqual(before);
    // Nobody is paired with the next one.
    await context.close();
  }
});

test("whoever a game has made a guest finds the ways into an account: on a desk in the header, on a phone in its menu", async () => {
  const { white } = await startGame(server);
  const { page } = white;
  await page.setViewportSize({ width: 1280, height: 800 });
  const ways = page.locator("header.top > .to-account");
  for (const url of [page.url(), white.url]) {
    await page.goto(url);
    await expect.poll(() => ways.allInnerTexts()).toEqual(["Sign in", "Register"]);
  }
  for (const way of ["Sign in", "Register"]) {
    await ways.getByText(way, { exact: true }).click();
    await page.getByRole("dialog", { name: way }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
  await isClean(page, "the header of a guest");
  await page.setViewportSize({ width: 390, height: 740 });
  expect(await ways.first().isVisible()).toBe(false);
  await accountButton(page).click();
  const items = page.locator("header .menu-items button");
  expect((await items.allInnerTexts()).slice(0, 2)).toEqual(["Sign in", "Register"]);
  await page.keyboard.press("Escape");
  // Whoever has an account is not asked for one, and no link stands elsewhere for that.
  const links = (of: Page) =>
    of.locator("header.top > a").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x));
  await page.setViewportSize({ width: 1280, height: 720 });
  const owner = await registered(server, "Has_One");
  await accountButton(owner.page).getByText("Has_One").waitFor();
  expect(await owner.page.locator(".to-account").count()).toBe(0);
  expect(await links(owner.page)).toEqual(await links(page));
});

test("whoever gets an account by the buttons of the header has the focus on the account's button after that", async () => {
  const { page, url } = await server.person({ viewport: { width: 1280, height: 800 } });
  await page.goto(url);
  const ways = page.locator("header.top > .to-account");
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  await ways.getByText("Register", { exact: true }).click();
  await sendRegistration(page, "Focus_Kept");
  const codes = page.getByRole("dialog", { name: "Your recovery codes" });
  await codes.getByRole("listitem").first().waitFor({ timeout: 90_000 });
  await codes.getByRole("button").last().click();
  await codes.waitFor({ state: "detached" });
  await expect.poll(focused).toBe("Focus_Kept, account: menu");
  await chooseInMenu(page, "Sign out");
  await ways.getByText("Sign in", { exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Focus_Kept");
  await dialog.getByLabel("Password", { exact: true }).fill(GOOD_PASSWORD);
  await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  await ways.first().waitFor({ state: "detached" });
  await expect.poll(focused).toBe("Focus_Kept, account: menu");
});

test("on a phone the ring around what has the focus in the header is whole, and on nothing else", {
  tags: "nightly",
}, async () => {
  const { page, url } = await server.person({ viewport: { width: 390, height: 740 } });
  await page.goto(url);
  await page.getByRole("button", { name: "Play the computer" }).waitFor();
  const header = page.locator("header.top");
  const rings = [];
  await page.keyboard.press("Tab");
  for (;;) {
    await page.keyboard.press("Tab");
    if (!(await header.evaluate((top) => top.contains(document.activeElement)))) break;
    rings.push(
      await page.evaluate(() => {
        const one = document.activeElement as HTMLElement;
        const style = getComputedStyle(one);
        const out = Number.parseFloat(style.outlineWidth) + Number.parseFloat(style.outlineOffset);
        const { left, top, right, bottom } = one.getBoundingClientRect();
        return { what: one.textContent, left: left - out, top: top - out, right: right + out, bottom: bottom + out };
      }),
    );
  }
  expect(rings.map(({ what }) => what)).toEqual(["Zeitnot", "Games", "Analysis", "Sign in", ""]);
  for (const [n, ring] of rings.entries()) {
    expect(ring.top, `${n}`).toBeGreaterThanOrEqual(0);
    expect(ring.left, `${n}`).toBeGreaterThanOrEqual(rings[n - 1]?.right ?? 0);
  }
});

test("a dialog darkens the whole window, and moves nothing behind it", { tags: "nightly" }, async () => {
  const { page, url } = await server.person({ viewport: { width: 1280, height: 800 } });
  await page.goto(url);
  const width = () => page.evaluate(() => document.body.getBoundingClientRect().width);
  const before = await width();
  const computer = page.getByRole("button", { name: "Play the computer" });
  await computer.click();
  await page.getByRole("dialog").waitFor();
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).scrollbarGutter)).toBe("auto");
  expect(await width()).toBe(before);
});

test("the header is in the same place on every page, and the home page as far from either edge of a desk", {
  tags: "nightly",
}, async () => {
  const { page, url } = await server.person({ viewport: { width: 1280, height: 800 } });
  const header = () =>
    page
      .locator("header.top > :is(a, button)")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x).filter((x) => x > 0));
  await page.goto(url);
  await page.getByRole("button", { name: "Play the computer" }).click();
  await page.getByRole("button", { name: "Begin" }).click();
  await board(page).waitFor();
  const inGame = await header();
  await page.goto(url);
  await page.getByRole("button", { name: "Play the computer" }).waitFor();
  // They are there when it is known that the account is a guest's.
  await page.locator("header .to-account").first().waitFor();
  expect(await header()).toEqual(inGame);
  const start = await page.locator(".start").boundingBox();
  expect(start && start.x + start.width).toBe(1280 - (start?.x ?? 0));
});

test("on a desk a notice covers nothing that one presses, and moves nothing", { tags: "nightly" }, async () => {
  const match = await startGame(server);
  const { page } = match.white;
  await playOut(match, ["e4", "e5"]);
  await nameOneself(page, "Noticed");
  const notice = page.locator(".notice > span");
  await notice.getByText("You are now Noticed.").waitFor();
  await offerDraw(page);
  const offered = page.getByRole("button", { name: "Draw offered" });
  await offered.waitFor();
  const pressed = page.locator(":is(button, a, input, .cell, .clock):visible");
  const places = () => pressed.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect));
  await notice.waitFor({ state: "hidden" });
  const before = await places();
  await offered.press("Enter");
  await notice.waitFor();
  expect(await places()).toEqual(before);
  for (const [width, height] of [
    [1440, 900],
    [1024, 600],
  ] as const) {
    await page.setViewportSize({ width, height });
    await offered.press("Enter");
    const box = await notice.boundingBox();
    if (!box) throw new Error("there is no notice");
    const covered = (await places()).filter(
      ({ left, right, top, bottom }) =>
        left < box.x + box.width && right > box.x && top < box.y + box.height && bottom > box.y,
    );
    expect(covered, `${width}x${height}`).toEqual([]);
  }
  // A challenge has that place: the notice stands below its answers.
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(match.white.url);
  const other = await server.person();
  await other.page.goto(other.url);
  await challengeByName(other.page, "Noticed");
  const toast = page.locator(".toast");
  await toast.waitFor();
  await nameOneself(page, "Noted");
  await notice.getByText("You are now Noted.").waitFor();
  const [bar, box] = [await toast.boundingBox(), await notice.boundingBox()];
  expect(bar && box && box.y >= bar.y + bar.height).toBe(true);
});
