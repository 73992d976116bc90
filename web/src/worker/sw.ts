/**
 * The service worker: joins the browser's events to `answers`, and brings back a player who follows a notification.
 *
 * Built apart, as `/sw.js`, with the version of the page that it belongs to. A new version waits until no page of the old
 * one is open, so that no page loses files that it may still load.
 */
import { offlineText } from "../text/offline";
import { answerFor, asset, cacheOf, document, offlinePage, outdated } from "./answers";

/** Put in by `scripts/worker.mjs`. */
declare const VERSION: string;
declare const STYLE: string;

interface Waits {
  waitUntil(done: Promise<unknown>): void;
}
interface Fetched extends Waits {
  readonly request: Request;
  readonly preloadResponse: Promise<Response | undefined>;
  respondWith(answer: Promise<Response>): void;
}
interface Followed extends Waits {
  readonly notification: Notification;
}
interface Window {
  readonly url: string;
  focus(): Promise<Window>;
  postMessage(message: unknown): void;
}
/** What is used of `ServiceWorkerGlobalScope`; its types exclude those of the page. */
interface Worker {
  readonly location: Location;
  readonly navigator: Navigator;
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(options: { type: "window"; includeUncontrolled: true }): Promise<readonly Window[]>;
    openWindow(path: string): Promise<unknown>;
  };
  addEventListener(kind: "install" | "activate", listener: (event: Waits) => void): void;
  addEventListener(kind: "fetch", listener: (event: Fetched) => void): void;
  addEventListener(kind: "notificationclick", listener: (event: Followed) => void): void;
}

const worker = globalThis as unknown as Worker;

worker.addEventListener("install", (event) => {
  event.waitUntil(caches.open(cacheOf(VERSION)).then((cache) => cache.add(STYLE)));
});

worker.addEventListener("activate", (event) => {
  const clean = async (): Promise<void> => {
    for (const name of outdated(await caches.keys(), VERSION)) await caches.delete(name);
    // The document is asked for while the worker starts.
    await worker.registration.navigationPreload?.enable();
  };
  event.waitUntil(clean());
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  switch (answerFor(request, worker.location.origin)) {
    case "document":
      event.respondWith(document(async () => (await event.preloadResponse) ?? fetch(request), offline));
      break;
    case "asset":
      event.respondWith(caches.open(cacheOf(VERSION)).then((cache) => asset(request, cache, (one) => fetch(one))));
      break;
    case null:
      break;
  }
});

function offline(): Response {
  const { tag, text } = offlineText(worker.navigator.languages);
  return offlinePage(tag, text, STYLE);
}

worker.addEventListener("notificationclick", (event) => {
  const { path } = event.notification.data as { readonly path: string };
  event.notification.close();
  event.waitUntil(bringBack(path));
});

/** To a page that is open, best to the one that shows it already; else to a new one. */
async function bringBack(path: string): Promise<void> {
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = windows.find(({ url }) => new URL(url).pathname === path) ?? windows[0];
  if (!open) {
    await worker.clients.openWindow(path);
    return;
  }
  await open.focus();
  open.postMessage({ open: path });
}
