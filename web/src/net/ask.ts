/** Requests over HTTP that throw nothing: each answer says what became of it, and when to ask again. */

import type { FenReason } from "#protocol";

/** The server says no. */
interface Rejection {
  readonly code: string;
  /** In English. */
  readonly message: string;
  /** The move at fault, from 1. */
  readonly ply: number | null;
  /** What is wrong with a FEN. A newer server may have kinds that are not known here. */
  readonly reason: FenReason | null;
}

/** What became of a request. */
export type Answer<T> =
  | { readonly kind: "there"; readonly value: T }
  | ({ readonly kind: "rejected" } & Rejection)
  /** Too many requests, or a server that has too much to do. */
  | { readonly kind: "later"; readonly seconds: number }
  | { readonly kind: "failed" };

/** Where the server does not say when to ask again, or cannot be reached. */
const RETRY_S = 5;

/** After how many ms to ask again. */
export function waitOf(answer: Exclude<Answer<unknown>, { readonly kind: "there" | "rejected" }>): number {
  return 1_000 * (answer.kind === "later" ? answer.seconds : RETRY_S);
}

/** Asks, and throws nothing. With a body it is a POST. What is aborted has failed. */
export async function askJson<T>(path: string, body?: object, signal: AbortSignal | null = null): Promise<Answer<T>> {
  try {
    const headers = { accept: "application/json", ...(body ? { "content-type": "application/json" } : {}) };
    const sent = body ? { method: "POST", body: JSON.stringify(body) } : {};
    const response = await fetch(path, { ...sent, headers, signal });
    if (response.ok) return { kind: "there", value: (await response.json()) as T };
    if (response.status === 429 || response.status === 503)
      return { kind: "later", seconds: Number(response.headers.get("retry-after")) || RETRY_S };
    const { code = "", message = "", ply = null, reason = null } = (await response.json()) as Partial<Rejection>;
    return { kind: "rejected", code, message, ply, reason };
  } catch {
    return { kind: "failed" };
  }
}

/**
 * Asks after so many ms, and again whenever the answer is for later or none came. Every answer is handed on until the
 * function that is returned is called: then the request is given up and nobody is told of it.
 */
export function keepAsking<T>(
  afterMs: number,
  ask: (left: AbortSignal) => Promise<Answer<T>>,
  answered: (answer: Answer<T>) => void,
): () => void {
  const left = new AbortController();
  const once = async (): Promise<void> => {
    const answer = await ask(left.signal);
    if (left.signal.aborted) return;
    answered(answer);
    if (answer.kind === "later" || answer.kind === "failed") timer = setTimeout(() => void once(), waitOf(answer));
  };
  let timer = setTimeout(() => void once(), afterMs);
  return () => {
    left.abort();
    clearTimeout(timer);
  };
}
