/**
 * The PGNs that were loaded in this tab, so that the address of one gives it again after a reload: the last ones, so many.
 *
 * What is stored is not trusted. In a storage that is full older ones make room; a forbidden one keeps nothing, and then the
 * last PGN is there until the page is left. The famous game of the home page has a key in every tab.
 */
import { PGN_CHARS_MAX, writePgn } from "../chess/pgn";
import { OPERA_GAME, OPERA_KEY } from "../state/operaGame";
import { keepList, readList } from "../state/stored";

/** Each has at most `PGN_CHARS_MAX` characters. */
export const PGNS_KEPT = 8;

const NAME = "zeitnot.pgns";

interface KeptPgn {
  /** Its name in an address. */
  readonly key: string;
  readonly text: string;
}

let last: KeptPgn | null = null;

/** Keeps a text and answers its key: the one that it has already, or a new one. */
export function keepPgn(storage: Pick<Storage, "getItem" | "setItem">, text: string): string {
  const all = keptPgns(storage);
  const key =
    all.find((one) => one.text === text)?.key ?? String(Math.max(0, ...all.map((one) => Number(one.key))) + 1);
  last = { key, text };
  const others = all.filter((one) => one.key !== key);
  keepList(storage, NAME, [last, ...others].slice(0, PGNS_KEPT));
  return key;
}

/** The text of a key; null if it is no longer kept. */
export function loadPgn(storage: Pick<Storage, "getItem">, key: string): string | null {
  if (key === OPERA_KEY) return operaPgn();
  if (last?.key === key) return last.text;
  return keptPgns(storage).find((one) => one.key === key)?.text ?? null;
}

function operaPgn(): string {
  const { white, black, outcome, moves } = OPERA_GAME;
  const headers = { Site: "Paris", Date: "1858.??.??", White: white, Black: black, Result: outcome.score };
  const line = moves.map(({ san }) => ({ san, variations: [] }));
  return writePgn({ headers, moves: line }, { number: 1, isBlack: false });
}

function keptPgns(storage: Pick<Storage, "getItem">): readonly KeptPgn[] {
  return readList(storage, NAME, isKept);
}

function isKept(value: unknown): value is KeptPgn {
  const { key, text } = (value ?? {}) as Partial<KeptPgn>;
  return typeof key === "string" && /^\d{1,9}$/u.test(key) && typeof text === "string" && text.length <= PGN_CHARS_MAX;
}
