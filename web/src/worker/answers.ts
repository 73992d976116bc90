/**
 * What the service worker answers, and what it keeps.
 *
 * Documents come from the network and are never kept, so nobody is shown an old page; without a network there is a page
 * that says so. Files whose names change with their content are kept for one version of the page. Everything else, above
 * all `/api` and `/ws`, is the browser's own business.
 */
import type { Offline } from "../text/en/offline";

const PREFIX = "zeitnot-";
const ASSETS = "/assets/";
/** What the server answers by itself, or only to scripts. */
const UNTOUCHED = ["/api/", "/ws", "/oauth"];

export const cacheOf = (version: string): string => PREFIX + version;

/** Caches of other versions of this page; those of others on this origin are left alone. */
export function outdated(names: readonly string[], version: string): string[] {
  return names.filter((name) => name.startsWith(PREFIX) && name !== cacheOf(version));
}

export type Answer = "document" | "asset" | null;

/** How a request is answered; null leaves it to the browser. */
export function answerFor(request: Pick<Request, "method" | "mode" | "url">, origin: string): Answer {
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== origin) return null;
  if (UNTOUCHED.some((path) => url.pathname.startsWith(path))) return null;
  if (request.mode === "navigate") return "document";
  return url.pathname.startsWith(ASSETS) ? "asset" : null;
}

/** The document from the network; `offline` without one. */
export async function document(fetched: () => Promise<Response>, offline: () => Response): Promise<Response> {
  try {
    return await fetched();
  } catch {
    return offline();
  }
}

/** A file that never changes: from the cache, or else from the network and then kept. */
export async function asset(
  request: Request,
  cache: Pick<Cache, "match" | "put">,
  fetched: (request: Request) => Promise<Response>,
): Promise<Response> {
  const kept = await cache.match(request);
  if (kept) return kept;
  const response = await fetched(request);
  if (response.ok) await cache.put(request, response.clone());
  return response;
}

const POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The page without a network. `style`: the style sheet of this version, which is kept. */
export function offlinePage(tag: string, { title, text, again }: Offline, style: string): Response {
  const html = `<!doctype html>
<html lang="${tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Zeitnot</title>
<link rel="stylesheet" href="${style}">
</head>
<body>
<main class="narrow card">
<h1>${title}</h1>
<p>${text}</p>
<a class="button primary big" href="">${again}</a>
</main>
</body>
</html>
`;
  return new Response(html, {
    status: 503,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": POLICY,
      "cache-control": "no-store",
    },
  });
}
