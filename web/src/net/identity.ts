/**
 * The account of this browser: none at first, then a guest account named by a cookie.
 *
 * Scripts cannot read the cookie, so storage only remembers that there was one. The server decides.
 */

import type { Hello } from "#protocol";
import type { Identity } from "zeitnot-client";

const KEY = "zeitnot.guest";

/** What is read of a response. */
type Answer = Pick<Response, "status" | "json">;

export interface IdentityWorld {
  readonly storage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  fetch(path: string, method: "GET" | "POST"): Promise<Answer>;
}

export class CookieIdentity implements Identity {
  /** Null until the server has answered. */
  private known: boolean | null;

  constructor(private readonly world: IdentityWorld) {
    this.known = world.storage.getItem(KEY) === null ? false : null;
  }

  /** Whether there may be an account: false is certain, true has to be checked. */
  get maybe(): boolean {
    return this.known !== false;
  }

  /** Nothing if the cookie says it. The server is asked at most once; throws if it cannot be reached. */
  async hello(): Promise<Hello | null> {
    return (await this.check()) ? null : {};
  }

  private async check(): Promise<boolean> {
    if (this.known !== null) return this.known;
    const { status } = await this.world.fetch("/api/me", "GET");
    if (status === 401) this.world.storage.removeItem(KEY);
    else if (status !== 200) throw new Error(`/api/me answered ${status}`);
    this.known = status === 200;
    return this.known;
  }

  /** Creates a guest account, unless there is one. Throws the code if the server rejects it. */
  async become(): Promise<void> {
    const answer = await this.world.fetch("/api/guest", "POST");
    if (answer.status === 429) throw new Error(await codeOf(answer));
    if (answer.status !== 200 && answer.status !== 201) throw new Error("unavailable");
    this.signedIn();
  }

  /** The server has set the cookie of an account. */
  signedIn(): void {
    this.world.storage.setItem(KEY, "1");
    this.known = true;
  }

  /** The server has taken the cookie away. */
  signedOut(): void {
    this.world.storage.removeItem(KEY);
    this.known = false;
  }

  welcomed(): void {
    // The cookie says it again next time.
  }

  /** The cookie was not accepted: check again before the next connection. */
  doubt(): void {
    if (this.known) this.known = null;
  }
}

async function codeOf(answer: Answer): Promise<string> {
  const { code } = (await answer.json().catch(() => ({}))) as { readonly code?: string };
  return code ?? "unavailable";
}
