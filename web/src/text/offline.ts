/** The texts of the page without a network, by language. Small, and apart, as the service worker carries all of them. */
import { offline as de } from "./de/offline";
import { type Offline, offline as en } from "./en/offline";
import { offline as es } from "./es/offline";
import { offline as fr } from "./fr/offline";

const TEXTS: Readonly<Record<string, Offline>> = { en, de, fr, es };

/** The texts in the first of the browser's languages that there is, else English; and the language's tag. */
export function offlineText(preferred: readonly string[]): { readonly tag: string; readonly text: Offline } {
  for (const language of preferred) {
    const tag = language.toLowerCase().split("-")[0] ?? "";
    const text = Object.hasOwn(TEXTS, tag) ? TEXTS[tag] : undefined;
    if (text) return { tag, text };
  }
  return { tag: "en", text: en };
}
