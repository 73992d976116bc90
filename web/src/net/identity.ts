/**
 * Who this browser is: nobody until somebody plays, then a guest that a cookie names.
 *
 * The cookie cannot be read by scripts, so storage remembers only that there was one; the server has the last word.
 */

const KEY = "zeitnot.guest";

export interface IdentityWorld {
  readonly storage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  fetch(path: string, method: "GET" | "POST"): Promise<{ readonly status: number }>;
}

export class Identity {
  /** Null until the server has been asked. */
  private known: boolean | null;

  constructor(private readonly world: IdentityWorld) {
    this.known = world.storage.getItem(KEY) === null ? false : null;
  }

  /** Whether this browser may be somebody: false is certain, true may need asking. */
  get maybe(): boolean {
    return this.known !== false;
  }

  /** Whether the server knows this browser. Asks at most once; throws when the server cannot be reached. */
  async check(): Promise<boolean> {
    if (this.known !== null) return this.known;
    const { status } = await this.world.fetch("/api/me", "GET");
    if (status === 401) this.world.storage.removeItem(KEY);
    else if (status !== 200) throw new Error(`/api/me answered ${status}`);
    this.known = status === 200;
    return this.known;
  }

  /** Makes a guest, unless this browser is one already. Throws when the server refuses. */
  async become(): Promise<void> {
    const { status } = await this.world.fetch("/api/guest", "POST");
    if (status !== 200 && status !== 201) throw new Error(status === 429 ? "too_many_guests" : "unavailable");
    this.world.storage.setItem(KEY, "1");
    this.known = true;
  }

  /** The cookie did not count: ask again before the next connection. */
  doubt(): void {
    if (this.known) this.known = null;
  }
}
