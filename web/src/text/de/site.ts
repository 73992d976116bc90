/** German: the header, pages that are not there, and the connection. */
import type { Catalogue } from "..";

export const site: Catalogue["site"] = {
  home: "Zeitnot, Startseite",
  skip: "Zum Inhalt springen",
  languageFailed: "Die Texte dieser Sprache konnten nicht geladen werden. Versuche es noch einmal.",
  title: "Zeitnot – Schach",
  lost: "Seite nicht gefunden",
  lostText: "Unter dieser Adresse gibt es keine Seite.",
  toHome: "Zur Startseite",
};

export const link: Catalogue["link"] = {
  connecting: "Verbinde …",
  slow: "Der Server antwortet gerade nicht …",
  waiting: "Verbindung verloren. Verbinde neu …",
  open: "Verbunden",
  delay: (ms) => `${ms} ms`,
  sending: "Sende …",
  resent: "Noch einmal gesendet, warte auf den Server …",
  queued: "Noch nicht gespeichert",
  confirmed: "Zug gespeichert",
  rejected: (code) =>
    `Der Server hat die Verbindung geschlossen (${code}). Lade die Seite neu, um es noch einmal zu versuchen.`,
};
