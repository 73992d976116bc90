/** Reads JSON over HTTP. */

/** There is no such thing, or no longer (404, 410). */
export class Missing {
  /** `code`: why, as the server says it. */
  constructor(readonly code: string) {}
}

/** Every failure but a missing thing throws. */
export async function readJson<T>(path: string): Promise<T | Missing> {
  const response = await fetch(path, { headers: { accept: "application/json" } });
  if (response.status === 404 || response.status === 410) {
    const body = (await response.json().catch(() => null)) as { readonly code?: unknown } | null;
    return new Missing(typeof body?.code === "string" ? body.code : "");
  }
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return (await response.json()) as T;
}

/** Null means that there is no such thing, or no longer. */
export async function getJson<T>(path: string): Promise<T | null> {
  const found = await readJson<T>(path);
  return found instanceof Missing ? null : found;
}
