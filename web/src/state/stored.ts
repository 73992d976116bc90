/**
 * What this browser keeps of the page, as JSON under a name each.
 *
 * A storage may be full or forbidden, and what is in it is not trusted: whoever reads checks what came.
 */

/** What was kept under this name; null if nothing was, or nothing that can be read. */
export function readStored(storage: Pick<Storage, "getItem">, name: string): unknown {
  try {
    return JSON.parse(storage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

/** Whether it is kept now: a full or forbidden storage keeps nothing more. */
export function keepStored(storage: Pick<Storage, "setItem">, name: string, value: unknown): boolean {
  try {
    storage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** What of a list was kept under this name and is what it should be. */
export function readList<T>(
  storage: Pick<Storage, "getItem">,
  name: string,
  isOne: (value: unknown) => value is T,
): readonly T[] {
  const stored = readStored(storage, name);
  return Array.isArray(stored) ? stored.filter(isOne) : [];
}

/** Whether the list is kept now: in a storage that is full the last ones give way, but for the first. */
export function keepList(storage: Pick<Storage, "setItem">, name: string, list: readonly unknown[]): boolean {
  if (keepStored(storage, name, list)) return true;
  return list.length > 1 && keepList(storage, name, list.slice(0, -1));
}
