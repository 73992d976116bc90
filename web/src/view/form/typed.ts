/** What the server finds for what is typed in a field. Whoever types quickly asks once. */
import { useEffect, useState } from "preact/hooks";
import type { Answer } from "../../net/ask";

const TYPED_MS = 150;

/** What was found last, and for which words. */
export interface FoundFor<T> {
  readonly words: string;
  readonly found: T;
}

/** Asks for these words; for null nothing. What was found before stays until the next answer. */
export function useTyped<T>(words: string | null, ask: (words: string) => Promise<Answer<T>>): FoundFor<T> | null {
  const [last, set] = useState<FoundFor<T> | null>(null);
  useEffect(() => {
    if (words === null) return;
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const answer = await ask(words);
      if (isCurrent && answer.kind === "there") set({ words, found: answer.value });
    }, TYPED_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [words]);
  return last;
}
