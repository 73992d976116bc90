/**
 * The ready phrases of the chat in every language. They are sent as text in the writer's language; whoever reads the page
 * in another one gets them in that one.
 *
 * In one small file for all languages, since a reader needs those of the writer.
 */
import type { Language } from ".";

export const PHRASES = ["hello", "luck", "fun", "youToo", "wellPlayed", "goodGame", "thanks", "goodbye"] as const;
type Phrase = (typeof PHRASES)[number];

const IN: Readonly<Record<Language, Readonly<Record<Phrase, string>>>> = {
  en: {
    hello: "Hello!",
    luck: "Good luck!",
    fun: "Have fun!",
    youToo: "You too!",
    wellPlayed: "Well played!",
    goodGame: "Good game!",
    thanks: "Thank you!",
    goodbye: "Goodbye!",
  },
  de: {
    hello: "Hallo!",
    luck: "Viel Glück!",
    fun: "Viel Spaß!",
    youToo: "Dir auch!",
    wellPlayed: "Gut gespielt!",
    goodGame: "Schöne Partie!",
    thanks: "Danke!",
    goodbye: "Tschüss!",
  },
  fr: {
    hello: "Bonjour !",
    luck: "Bonne chance !",
    fun: "Amusez-vous bien !",
    youToo: "À vous aussi !",
    wellPlayed: "Bien joué !",
    goodGame: "Belle partie !",
    thanks: "Merci !",
    goodbye: "Au revoir !",
  },
  es: {
    hello: "¡Hola!",
    luck: "¡Suerte!",
    fun: "¡Que te diviertas!",
    youToo: "¡Igualmente!",
    wellPlayed: "¡Bien jugado!",
    goodGame: "¡Buena partida!",
    thanks: "¡Gracias!",
    goodbye: "¡Adiós!",
  },
};

export function phrasesIn(language: Language): readonly string[] {
  return PHRASES.map((phrase) => IN[language][phrase]);
}

/** A line of the chat for a reader: a phrase in the reader's language, everything else as it was written. */
export function showLine(language: Language, line: string): string {
  const phrase = PHRASES.find((one) => Object.values(IN).some((texts) => texts[one] === line));
  return phrase ? IN[language][phrase] : line;
}
