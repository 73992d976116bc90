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
