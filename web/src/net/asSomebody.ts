/** Questions that the server answers only to an account: a browser without one becomes a guest first. */
import type { Answer } from "./ask";

export interface Somebody {
  /** Whether this browser may have an account: false is certain. */
  readonly maybeSomebody: boolean;
  /** Null, or the code with which the server made no guest account. */
  becomeGuest(): Promise<string | null>;
}

/** Asks as somebody. Whose account the server does not know any more gets a new one, once. */
export async function asSomebody<T>(who: Somebody, ask: () => Promise<Answer<T>>): Promise<Answer<T>> {
  const first = who.maybeSomebody ? await ask() : null;
  if (first !== null && (first.kind !== "rejected" || first.code !== "no_identity")) return first;
  const code = await who.becomeGuest();
  if (code === null) return ask();
  return code === "unavailable" ? { kind: "failed" } : { kind: "rejected", code, message: "", ply: null, reason: null };
}
