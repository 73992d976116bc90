/** The service worker: what it answers, what it keeps, and what it throws away. */
import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../src/text";
import { offlineText } from "../src/text/offline";
import { answerFor, asset, cacheOf, document, offlinePage, outdated } from "../src/worker/answers";

const ORIGIN = "https://chess.example";
const request = (path: string, mode: RequestMode = "cors", method = "GET") => ({
  url: new URL(path, ORIGIN).href,
  mode,
  method,
});

describe("the service worker", () => {
  test("answers documents and files with a hash, and leaves everything else to the browser", () => {
    for (const path of ["/", "/4fzVq0aB9kLm", "/@/Rook", "/sign-in"])
      expect(answerFor(request(path, "navigate"), ORIGIN), path).toBe("document");
    expect(answerFor(request("/assets/index-abc.js"), ORIGIN)).toBe("asset");
    for (const path of ["/api/games", "/ws", "/sw.js", "/manifest.webmanifest", "/icon-192.png"])
      expect(answerFor(request(path), ORIGIN), path).toBeNull();
    for (const path of ["/api/games/4fzVq0aB9kLm/pgn", "/oauth"])
      expect(answerFor(request(path, "navigate"), ORIGIN), path).toBeNull();
    expect(answerFor(request("/sign-in", "navigate", "POST"), ORIGIN)).toBeNull();
    expect(answerFor(request("https://elsewhere.example/assets/a.js"), ORIGIN)).toBeNull();
  });

  test("shows what the network has, whatever it is, and the page without a network only without one", async () => {
    const offline = () => new Response("offline");
    const busy = new Response("busy", { status: 503 });
    expect(await document(async () => busy, offline)).toBe(busy);
    const shown = await document(() => Promise.reject(new TypeError("no network")), offline);
    expect(await shown.text()).toBe("offline");
  });

  test("fetches a file once, and keeps nothing that failed", async () => {
    const kept = new Map<string, Response>();
    const cache = {
      match: async (one: RequestInfo | URL) => kept.get((one as Request).url)?.clone(),
      put: async (one: RequestInfo | URL, response: Response) => void kept.set((one as Request).url, response),
    };
    const fetched: string[] = [];
    const network = (status: number) => async (one: Request) => {
      fetched.push(one.url);
      return new Response("script", { status });
    };
    const script = new Request(`${ORIGIN}/assets/index-abc.js`);
    expect((await asset(script, cache, network(404))).status).toBe(404);
    expect(kept.size).toBe(0);
    for (let time = 0; time < 2; time += 1)
      expect(await (await asset(script, cache, network(200))).text()).toBe("script");
    expect(fetched).toHaveLength(2);
  });

  test("keeps only its own version, and touches no cache of others", () => {
    expect(outdated([cacheOf("1"), cacheOf("2"), cacheOf("3"), "fonts"], "3")).toEqual([cacheOf("1"), cacheOf("2")]);
  });

  test("says in the browser's language that there is no connection, with nothing inline", async () => {
    expect(offlineText(["fi", "de-AT", "en"]).tag).toBe("de");
    expect(offlineText(["constructor", "xx"]).tag).toBe("en");
    for (const language of LANGUAGES) expect(offlineText([language]).tag).toBe(language);
    const { tag, text } = offlineText(["de"]);
    const page = offlinePage(tag, text, "/assets/index-abc.css");
    expect([page.status, page.headers.get("cache-control")]).toEqual([503, "no-store"]);
    const html = await page.text();
    expect(html).toContain('<html lang="de">');
    expect(html).toContain("Keine Verbindung");
    expect(html).not.toMatch(/<script|<style|style=/u);
  });
});
