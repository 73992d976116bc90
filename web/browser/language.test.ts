/** The language of the page: it is there before anything is shown, and others are not loaded. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { chooseLanguage } from "./steps";
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

test("a language that cannot be loaded leaves the one that is shown, and says so", async () => {
  const { page, url } = await server.person({ locale: "en-GB" });
  await page.route(/text-de/u, (route) => route.abort());
  await page.goto(url);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByLabel("Language").selectOption("de");
  await page.locator(".notice.error", { hasText: "could not be loaded" }).waitFor();
  expect(await page.getByLabel("Language").inputValue()).toBe("en");
  await page.getByRole("heading", { name: "Play chess" }).waitFor();
});

test("without its file a page in German is shown in English", async () => {
  const { page, url } = await server.person({ locale: "de-DE" });
  await page.route(/text-de/u, (route) => route.abort());
  await page.goto(url);
  await page.getByRole("heading", { name: "Play chess" }).waitFor();
});
