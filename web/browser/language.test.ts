/** The language of the page: there before anything is shown, loaded when it is chosen, and whole on a phone. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { LANGUAGES, type Language, loadCatalogue } from "../src/text";
import { clippedTexts } from "./clippedTexts";
import { covering } from "./covering";
import { chooseLanguage, drawn, plies, resign, startGame, type } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test("no English is shown before German", async () => {
  const { page, url, errors } = await server.person({ locale: "de-AT" });
  // Every heading that was ever shown, in order.
  await page.addInitScript(() => {
    const shown: string[] = [];
    Object.assign(window, { shown });
    new MutationObserver(() => {
      const heading = document.querySelector("h1")?.textContent;
      if (heading && shown.at(-1) !== heading) shown.push(heading);
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });
  await page.goto(url);
  await page.getByRole("heading", { name: "Schach spielen" }).waitFor();
  expect(await page.evaluate(() => Reflect.get(window, "shown") as string[])).toEqual(["Schach spielen"]);
  expect(errors).toEqual([]);
});

test("a language is loaded when it is chosen, and kept", async () => {
  const { page, url } = await server.person({ locale: "en-GB" });
  const texts: string[] = [];
  page.on("request", (request) => {
    const language = /text-(\w+)/u.exec(request.url())?.[1];
    if (language) texts.push(language);
  });
  await page.goto(url);
  await page.getByRole("heading", { name: "Play chess" }).waitFor();
  expect(texts).toEqual([]);
  await chooseLanguage(page, "de");
  expect(texts).toEqual(["de"]);
  await page.reload();
  await page.getByRole("heading", { name: "Schach spielen" }).waitFor();
});

test("a language that cannot be loaded leaves the one that is shown, and says so", { tags: "nightly" }, async () => {
  const { page, url } = await server.person({ locale: "en-GB" });
  await page.route(/text-de/u, (route) => route.abort());
  await page.goto(url);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByLabel("Language").selectOption("de");
  await page.locator(".notice.error", { hasText: "could not be loaded" }).waitFor();
  expect(await page.getByLabel("Language").inputValue()).toBe("en");
  await page.getByRole("heading", { name: "Play chess" }).waitFor();
});

test("without its file a page in German is shown in English", { tags: "nightly" }, async () => {
  const { page, url } = await server.person({ locale: "de-DE" });
  await page.route(/text-de/u, (route) => route.abort());
  await page.goto(url);
  await page.getByRole("heading", { name: "Play chess" }).waitFor();
});

/** The narrowest phones. */
const WIDTHS = [320, 360];

/** German has the longest words. */
describe.each(covering<Language>(LANGUAGES, ["de"]))("in %s", (language) => {
  let cut: string[] = [];
  beforeEach(() => {
    cut = [];
  });
  const look = async (page: Page, state: string): Promise<void> => {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 640 });
      await drawn(page);
      cut.push(...(await page.evaluate(clippedTexts)).map((fault) => `${state} at ${width} px: ${fault}`));
    }
  };

  test("no text is cut off on a phone before a game", { tags: "nightly" }, async () => {
    const { page, url } = await server.person();
    await page.goto(url);
    await chooseLanguage(page, language);
    await look(page, "home");
    await page.locator("#tab-custom").click();
    await page.locator(".new-game summary").click();
    await look(page, "the form for a game");
    await page.locator("header button[aria-haspopup=dialog]").last().click();
    await look(page, "settings");
    await page.keyboard.press("Escape");
    await page.locator("#panel-custom .audience input").last().check({ force: true });
    await page.locator("#panel-custom button[type=submit]").click();
    await page.locator(".qr").waitFor();
    await look(page, "an invitation");
    await page.locator("main .withdraw").click();
    await page.locator(".qr").waitFor({ state: "detached" });
    await look(page, "a withdrawn invitation");
    expect(cut).toEqual([]);
  });

  test("no text is cut off on a phone in a game, and moves are typed and shown with its letters", async () => {
    const match = await startGame(server, { profile: "casual" });
    const { page } = match.white;
    await chooseLanguage(page, language);
    const { letters } = await loadCatalogue(language);
    const line = page.locator(".typed input");
    await line.fill(`${letters.n}f3`);
    await line.press("Enter");
    await page.locator("button.ply", { hasText: `${letters.n}f3` }).waitFor();
    await look(page, "a game");
    await line.fill("help");
    await line.press("Enter");
    await look(page, "help for typing");
    await type(match.black.page, "e5");
    await plies(page, 2);
    await page.locator("#resign").click();
    await look(page, "the question whether to resign");
    await page.keyboard.press("Escape");
    await page.locator("#offer-draw").click();
    await look(page, "the question whether to offer a draw");
    await page.keyboard.press("Escape");
    await resign(match.black.page);
    await page.locator("button.ply").first().waitFor();
    await expect.poll(() => page.locator("#resign").count()).toBe(0);
    await look(page, "the end of a game");
    expect(cut).toEqual([]);
  });
});
