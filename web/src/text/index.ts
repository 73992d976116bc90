/**
 * The languages of the page, the choice of one, and its catalogue of texts.
 *
 * English is part of the page. Every other language is a file of its own that is loaded when it is chosen, so the page
 * does not grow with their number. How to add one: README.md beside this file.
 */
import { catalogue as en } from "./en";

export type Catalogue = typeof en;
export const ENGLISH = en;

interface Offered {
  /** In the language itself, for whoever reads no other. */
  readonly name: string;
  load(): Promise<{ readonly catalogue: Catalogue }>;
}

/** By tag, in the order in which they are listed. */
const OFFERED = {
  en: { name: "English", load: async () => ({ catalogue: en }) },
  de: { name: "Deutsch", load: () => import("./de") },
  fr: { name: "Français", load: () => import("./fr") },
  es: { name: "Español", load: () => import("./es") },
} satisfies Record<string, Offered>;

export type Language = keyof typeof OFFERED;
export const LANGUAGES = Object.keys(OFFERED) as Language[];

export function nameOf(language: Language): string {
  return OFFERED[language].name;
}

/** Fails if the file of the language cannot be loaded. */
export async function loadCatalogue(language: Language): Promise<Catalogue> {
  return (await OFFERED[language].load()).catalogue;
}

/** The first of the browser's languages that there is, else English. */
export function chooseLanguage(preferred: readonly string[]): Language {
  const known = (tag: string): Language | undefined => LANGUAGES.find((one) => one === tag.toLowerCase().split("-")[0]);
  return preferred.map(known).find((language) => language !== undefined) ?? "en";
}
