/** German: other players: ratings, blocking, muting, reporting. */
import type { Catalogue } from "..";

export const people: Catalogue["people"] = {
  rating: (points, isProvisional) => (isProvisional ? `${points}?` : String(points)),
  ratingInWords: (points, isProvisional) => (isProvisional ? `Wertung ${points}, vorläufig` : `Wertung ${points}`),
  score: (own, theirs, name) => `Du ${own} – ${theirs} ${name}`,
  met: (n, others) => {
    const games = n === 1 ? "1 Partie" : `${n} Partien`;
    if (others === 0) return games;
    return others === n ? `${games} ohne Ergebnis` : `${games}, davon ${others} ohne Ergebnis`;
  },
  neverMet: "Ihr habt noch nicht gegeneinander gespielt.",
  beginning: (name) => `Spieler, deren Name mit „${name}“ beginnt`,
  memberSince: (month) => `Dabei seit ${month}`,
  challenge: "Herausfordern",

  record: {
    title: "Bilanz",
    sides: { both: "Alle Partien", white: "Mit Weiß", black: "Mit Schwarz" },
  },

  ratings: {
    title: "Wertungen",
    category: "Kategorie",
    games: (n) => (n === 1 ? "1 Partie" : `${n} Partien`),
    chart: (category, first, last, low, high) =>
      `${category}: von ${first} auf ${last}, niedrigste ${low}, höchste ${high}`,
    latest: (n) => `Letzte ${n} Partien`,
    peak: (rating, day) => `Höchste ${rating} (${day})`,
    bestWin: (rating) => `Bester Sieg gegen ${rating}`,
    opponents: (rating) => `Gegner im Schnitt ${rating}`,
    table: "Als Tabelle",
    older: "Frühere Partien",
    day: "Tag",
    change: "Wertung",
    result: "Ergebnis",
    withdrawn: "zählt nicht mehr",
    corrected: "berichtigt",
    step: (before, after) => `${before} → ${after}`,
    provisional: "? heißt vorläufig: zuletzt zu wenige Partien, um darauf zu bauen.",
  },

  follow: {
    begin: "Folgen",
    is: "Folge ich",
    end: "Nicht mehr folgen",
    about: "Spieler, denen du folgst, stehen auf deiner Startseite. Niemand sonst sieht das.",
    begun: (name) => `Du folgst ${name}.`,
    ended: (name) => `Du folgst ${name} nicht mehr.`,
    full: (most) => `Du folgst schon ${most} Spielern, mehr geht nicht. Beende zuerst, einem zu folgen.`,
    title: "Spieler, denen du folgst",
    watch: (name) => `${name} zuschauen`,
    playing: (name) => (name ? `spielt gegen ${name}` : "spielt"),
    playingYou: "spielt gegen dich",
    watchNow: "Zuschauen",
    away: (n) => `${n} offline`,
  },
  block: "Blockieren",
  unblock: "Freigeben",
  blockOrReport: "Blockieren oder melden",
  blockAbout: "Keiner von euch bekommt Herausforderungen, Paarungen oder Nachrichten des anderen.",
  blocked: (name) => `${name} ist blockiert.`,
  unblocked: (name) => `${name} ist nicht mehr blockiert.`,
  mute: "Stummschalten",
  unmute: "Wieder lesen",
  muteOf: (name) => `${name} stummschalten`,
  unmuteOf: (name) => `${name} wieder lesen`,
  blockOf: (name) => `${name} blockieren`,
  reportOf: (name) => `${name} melden`,
  muted: (name) => `Du siehst nicht mehr, was ${name} schreibt.`,
  unmuted: (name) => `Du siehst wieder, was ${name} schreibt.`,
  hidden: (n) =>
    n === 1
      ? "Eine Nachricht eines stummgeschalteten Spielers ist verborgen."
      : `${n} Nachrichten stummgeschalteter Spieler sind verborgen.`,

  report: {
    button: "Melden",
    title: (name) => `${name} melden`,
    text: "Die Administratoren dieses Servers lesen es. Der Spieler erfährt nichts davon.",
    reason: "Grund",
    reasons: { cheating: "Betrug", insults: "Beleidigungen", spam: "Spam", other: "Etwas anderes" },
    lines: "Nachrichten, um die es geht",
    linesAbout: "Der Server legt sie bei, wie sie geschrieben wurden.",
    noLines: "Dieser Spieler hat hier nichts geschrieben.",
    about: "Was geschehen ist",
    submit: "Meldung senden",
    done: (number) => `Danke. Deine Meldung hat die Nummer ${number}.`,
  },

  chat: {
    people: "Spieler in diesem Chat",
    nobody: "Hier hat noch niemand sonst geschrieben.",
    phrases: "Fertige Sätze",
  },

  rated: {
    off: "Nur registrierte Spieler spielen gewertete Partien.",
    toJoin:
      "Diese Partie ist gewertet: registriere dich oder melde dich an, um mitzuspielen. Ein Name und ein Passwort genügen.",
    notThis:
      "Gewertete Partien beginnen mit der üblichen Stellung, mit gleicher Uhr für beide und nach Regeln ohne Zurücknehmen.",
    submit: (what, isRated) => `${what} (${isRated ? "gewertet" : "nicht gewertet"})`,
    range: "Nur für Wertungen",
    least: "von",
    most: "bis",
    anyRating: "alle",
    from: (least) => `Wertung ab ${least}`,
    upTo: (most) => `Wertung bis ${most}`,
    between: (least, most) => `Wertung ${least} bis ${most}`,
    pools: "Partien zwischen zwei registrierten Spielern werden gewertet.",
  },
};
