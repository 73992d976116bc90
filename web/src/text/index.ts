/** The catalogues, and the choice of one: the stored language, else the browser's, else English. */
import { de } from "./de";
import { type Catalogue, en } from "./en";

export type { Catalogue };
export type Language = "en" | "de";
export const CATALOGUES: Readonly<Record<Language, Catalogue>> = { en, de };
export const LANGUAGES = Object.keys(CATALOGUES) as Language[];

export function chooseLanguage(stored: string | null, preferred: readonly string[]): Language {
  if (stored === "en" || stored === "de") return stored;
  for (const tag of preferred) {
    if (tag.startsWith("de")) return "de";
    if (tag.startsWith("en")) return "en";
  }
  return "en";
}
