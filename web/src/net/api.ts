/** Reads and sends JSON over HTTP. Knows no chess, and keeps nothing. */

/** There is no such thing, or no longer (404, 410). */
export class Missing {
  /** `code`: why, as the server says it; `body`: all that it says. */
  constructor(
    readonly code: string,
    readonly body: object | null = null,
  ) {}
}

/** Every failure but a missing thing throws. */
export async function readJson<T>(path: string): Promise<T | Missing> {
  const response = await fetch(path, { headers: { accept: "application/json" } });
  if (response.status === 404 || response.status === 410) {
    const body = (await response.json().catch(() => null)) as { readonly code?: unknown } | null;
    return new Missing(typeof body?.code === "string" ? body.code : "", body);
  }
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return (await response.json()) as T;
}

/** Null means that there is no such thing, or no longer. */
export async function getJson<T>(path: string): Promise<T | null> {
  const found = await readJson<T>(path);
  return found instanceof Missing ? null : found;
}

/** What became of a request that changes something. `wait`: the seconds after which the server would hear it again. */
export type Sent<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: string; readonly wait: number | null };

/** The code of a request that reached no server. */
export const NO_SERVER = "no_server";

/** Sends a request with a JSON body. Throws nothing: a failure has a code. An answer without a body is null. */
export async function sendJson<T>(
  method: "POST" | "PUT" | "DELETE",
  path: string,
  body?: Readonly<Record<string, unknown>>,
): Promise<Sent<T>> {
  const content = body ? { headers: { "content-type": "application/json" }, body: JSON.stringify(body) } : {};
  try {
    const response = await fetch(path, { method, ...content });
    const answer: unknown = response.status === 204 ? null : await response.json();
    if (response.ok) return { ok: true, value: answer as T };
    const wait = Number(response.headers.get("retry-after"));
    return { ok: false, code: (answer as { readonly code: string }).code, wait: wait > 0 ? wait : null };
  } catch {
    return { ok: false, code: NO_SERVER, wait: null };
  }
}
