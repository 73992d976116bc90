/** One whole game in Firefox, over WebDriver BiDi: made by the form, joined by its link, played by mouse and typing. */
import { type BrowserContext, type Page, launch } from "puppeteer-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const button = (page: Page, name: string) => page.locator(`::-p-aria([role="button"][name="${name}"])`);
/** Waits for so many plies in the list. Firefox draws no frames of a page behind another: ask by the clock. */
const plies = (page: Page, count: number) =>
  page.waitForFunction((wanted) => document.querySelectorAll("button.ply").length === wanted, { polling: 100 }, count);

async function middle(page: Page, name: string): Promise<{ x: number; y: number }> {
  const number = name.charCodeAt(0) - 97 + (Number(name.charAt(1)) - 1) * 8;
  const box = await (await page.waitForSelector(`[data-square="${number}"]`))?.boundingBox();
  if (!box) throw new Error(`${name} is not on the screen`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function drag(page: Page, from: string, to: string): Promise<void> {
  await page.bringToFront();
  const [start, end] = [await middle(page, from), await middle(page, to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(end.x, end.y, { steps: 4 });
  await page.mouse.up();
}

async function click(page: Page, from: string, to: string): Promise<void> {
  await page.bringToFront();
  for (const name of [from, to]) {
    const at = await middle(page, name);
    await page.mouse.click(at.x, at.y);
  }
}

async function type(page: Page, text: string): Promise<void> {
  await page.bringToFront();
  await page.type(".typed input", text);
  await page.keyboard.press("Enter");
}

async function person(context: BrowserContext, errors: string[]): Promise<Page> {
  const page = await context.newPage();
  await page.setViewport({ width: 1280, height: 800 });
  page.on("pageerror", (error) => errors.push(String(error)));
  return page;
}

test("two play to mate in Firefox, by drags, clicks and typing", async () => {
  const firefox = await launch({
    browser: "firefox",
    executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
    headless: true,
    // The page greets people in the browser's language.
    extraPrefsFirefox: { "intl.accept_languages": "en-GB" },
  });
  try {
    const errors: string[] = [];
    const white = await person(await firefox.createBrowserContext(), errors);
    const black = await person(await firefox.createBrowserContext(), errors);
    await white.goto(server.url);
    await button(white, "Play a friend").click();
    await white.waitForSelector("input[name=color]");
    // The lot, White, Black.
    await white.$$eval("input[name=color]", ([, first]) => (first as HTMLInputElement).click());
    await button(white, "Create the link").click();
    await white.waitForSelector(".qr");
    await black.goto(white.url());
    await button(black, "Join the game").click();
    for (const page of [white, black]) await page.waitForSelector("[role=grid]");

    await drag(white, "f2", "f3");
    await plies(black, 1);
    await click(black, "e7", "e5");
    await plies(white, 2);
    await type(white, "g4");
    await plies(black, 3);
    await drag(black, "d8", "h4");
    for (const page of [white, black]) {
      await plies(page, 4);
      await page.waitForSelector("::-p-text(Checkmate)");
    }
    expect(await white.$eval(".fate-disc", (points) => points.textContent)).toBe("0");
    expect(errors).toEqual([]);
  } finally {
    await firefox.close();
  }
});
