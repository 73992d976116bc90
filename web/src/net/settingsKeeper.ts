/**
 * Keeps the settings: in the browser at once, and at the server for a registered account, a little later.
 *
 * The browser's copy is what the page starts with, so nothing waits for the server. Of two copies of one account the one
 * that was changed last is taken; what was chosen in this browser for nobody, or for another account, never replaces an
 * account's own; but what is chosen while the server's copy is under way is a change of that. A server that does not answer
 * is asked again with the next page. Knows no single setting.
 */
import type { AccountId } from "#protocol";
import { type Settings, loadStored, saveStored } from "../state/settings";

const PATH = "/api/account/settings";
/** Several changes in a row are one request. */
const PATIENCE_MS = 1_000;

export interface KeeperWorld {
  readonly storage: Pick<Storage, "getItem" | "setItem">;
  /** The JSON of an answer; null for any other. */
  get(path: string): Promise<unknown>;
  put(path: string, body: string): void;
  /** Unix time in ms. */
  now(): number;
}

/** What is kept beside the settings. */
interface Stamp {
  /** When they were changed last, Unix time in ms; 0: never. */
  readonly changed: number;
  /** Whose they are; null: this browser's. */
  readonly account: AccountId | null;
}

function stampOf(stored: unknown): Stamp {
  const { changed, account } = (typeof stored === "object" ? (stored ?? {}) : {}) as Partial<
    Record<keyof Stamp, unknown>
  >;
  return {
    changed: typeof changed === "number" && Number.isFinite(changed) ? changed : 0,
    account: typeof account === "string" ? account : null,
  };
}

/** What was chosen since then, of what there was to compare with; without the stamp. */
function changesOf(before: unknown, now: unknown): object {
  if (typeof before !== "object" || before === null || typeof now !== "object" || now === null) return {};
  const were = new Map(Object.entries(before).map(([name, value]) => [name, JSON.stringify(value)]));
  const isChange = ([name, value]: [string, unknown]): boolean =>
    name !== "changed" && name !== "account" && were.has(name) && were.get(name) !== JSON.stringify(value);
  return Object.fromEntries(Object.entries(now).filter(isChange));
}

export class SettingsKeeper {
  /** The registered account of this page; null before it is known, and for guests. */
  private account: AccountId | null = null;
  private asked: AccountId | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly world: KeeperWorld) {}

  /** The settings have been changed here. */
  keep(settings: Settings): void {
    // Before it is known whose page this is, they stay whose they were.
    const account = this.asked === null ? stampOf(loadStored(this.world.storage)).account : this.account;
    saveStored(this.world.storage, { ...settings, changed: this.world.now(), account });
    if (this.account !== null) this.sendSoon();
  }

  /**
   * The account of this page is known. Answers with what is kept for it, if that is to be taken; else with null, as for
   * one that is not registered.
   */
  async join(account: AccountId, isRegistered: boolean): Promise<unknown> {
    if (this.account === account) return null;
    this.asked = account;
    this.account = null;
    if (!isRegistered) return null;
    const before = loadStored(this.world.storage);
    const theirs = await this.world.get(PATH);
    if (theirs === null || this.asked !== account) return null;
    this.account = account;
    const stored = loadStored(this.world.storage);
    const own = stampOf(stored);
    const { changed } = stampOf(theirs);
    if (changed > (own.account === account ? own.changed : 0)) {
      const meanwhile = changesOf(before, stored);
      const isChanged = Object.keys(meanwhile).length > 0;
      const taken = { ...(theirs as object), ...meanwhile, changed: isChanged ? own.changed : changed };
      saveStored(this.world.storage, { ...taken, account });
      if (isChanged) this.sendSoon();
      return taken;
    }
    // Nothing is kept for it yet, or what was changed here did not reach the server.
    if (changed === 0 || own.changed > changed) this.sendSoon();
    return null;
  }

  private sendSoon(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), PATIENCE_MS);
  }

  /** Sends what waits; also when the page is left. */
  flush(): void {
    if (this.timer === null) return;
    clearTimeout(this.timer);
    this.timer = null;
    const stored = loadStored(this.world.storage);
    if (this.account === null || typeof stored !== "object") return;
    const { account: _, ...body } = { ...stored, changed: stampOf(stored).changed || this.world.now() } as Stamp;
    this.world.put(PATH, JSON.stringify(body));
  }
}
