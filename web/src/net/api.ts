/** What the page asks over HTTP: reading only, as JSON. Null is the server's "there is no such thing"; all else fails. */

export async function getJson<T>(path: string): Promise<T | null> {
  const response = await fetch(path, { headers: { accept: "application/json" } });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return (await response.json()) as T;
}
