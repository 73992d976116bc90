/** The page as an app: it can be installed, says so when there is no network, and is never shown from a cache. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { isClean } from "./axe";
import { createGame, join, playOut } from "./steps";
import { type TestServer, startTestServer } from "./testServer";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const INSTALLED = { serviceWorkers: "allow" } as const;

/** Loads the page until the service worker answers for it. */
async function withWorker(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.reload();
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
}

test("the manifest and its icons are there, with their types, and are asked about each time", async () => {
  const { page, url, errors } = await server.person(INSTALLED);
  await page.goto(url);
  const href = await page.locator("link[rel=manifest]").getAttribute("href");
  const answer = await page.request.get(url + href);
  expect(answer.headers()["content-type"]).toBe("application/manifest+json");
  expect(answer.headers()["cache-control"]).toBe("no-cache");
  const manifest = (await answer.json()) as { icons: { src: string; sizes: string; purpose: string }[] };
  expect(manifest.icons.map(({ purpose }) => purpose)).toContain("maskable");
  for (const { src, sizes } of manifest.icons) {
    const size = await page.evaluate(async (path) => {
      const image = await createImageBitmap(await (await fetch(path)).blob());
      return `${image.width}x${image.height}`;
    }, src);
    expect(size, src).toBe(sizes);
  }
  const script = await page.request.get(`${url}/sw.js`);
  expect(script.headers()["content-type"]).toBe("text/javascript; charset=utf-8");
  expect(script.headers()["cache-control"]).toBe("no-cache");
  // The browser reads the manifest itself, under the page's content security policy.
  const session = await page.context().newCDPSession(page);
  const { errors: wrong, url: read } = await session.send("Page.getAppManifest");
  expect([read, wrong]).toEqual([`${url}/manifest.webmanifest`, []]);
  expect(errors).toEqual([]);
});

test("without a network the page says so, in the browser's language, and it is back with the network", async () => {
  const { context, page, url } = await server.person({ ...INSTALLED, locale: "de-DE" });
  await withWorker(page, url);
  await context.setOffline(true);
  await page.goto(`${url}/@/Nobody`);
  await page.getByRole("heading", { name: "Keine Verbindung" }).waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("de");
  await isClean(page, "offline");
  await context.setOffline(false);
  await page.goto(url);
  await page.getByRole("heading", { name: "Schach spielen" }).waitFor();
  await context.setOffline(true);
  await page.goto(url).catch(() => undefined);
  await page.getByRole("heading", { name: "Keine Verbindung" }).waitFor();
  await context.setOffline(false);
  await page.getByRole("link", { name: "Noch einmal versuchen" }).click();
  await page.getByRole("heading", { name: "Schach spielen" }).waitFor();
});

test("only files with a hash are kept: never a document, the worker itself, or an answer of the server", async () => {
  const { page, url, errors } = await server.person(INSTALLED);
  await withWorker(page, url);
  await page.reload();
  await page.getByRole("heading", { name: "Play chess" }).waitFor();
  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return { names, paths: all.flat().map((request) => new URL(request.url).pathname) };
  });
  expect(kept.names).toHaveLength(1);
  expect(kept.paths.length).toBeGreaterThan(1);
  expect(kept.paths.filter((path) => !path.startsWith("/assets/"))).toEqual([]);
  expect(errors).toEqual([]);
});

test("a page of the worker plays on: its socket and its requests are the browser's own", async () => {
  const white = await server.person(INSTALLED);
  await withWorker(white.page, white.url);
  const path = await createGame(white, { color: "White" });
  const black = await server.person(INSTALLED);
  await join(black, path);
  await playOut({ white, black, path }, ["e4", "e5"]);
  expect(white.errors).toEqual([]);
});
