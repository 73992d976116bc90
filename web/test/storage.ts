/** A storage as a browser's, for tests: what is in it at first, and the longest text that it takes. */
export function storage({
  room = Number.POSITIVE_INFINITY,
  stored = {},
}: {
  readonly room?: number;
  readonly stored?: Readonly<Record<string, string>>;
} = {}) {
  const kept = new Map(Object.entries(stored));
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => {
      if (value.length > room) throw new Error("full");
      kept.set(name, value);
    },
  };
}
