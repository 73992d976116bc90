/** Reads JSON over HTTP. Null means that there is no such thing, or no longer (404, 410); every other failure throws. */

export async function getJson<T>(path: string): Promise<T | null> {
  const response = await fetch(path, { headers: { accept: "application/json" } });
  if (response.status === 404 || response.status === 410) return null;
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return (await response.json()) as T;
}
