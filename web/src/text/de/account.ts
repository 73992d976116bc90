/** German: one's own account: signing in, devices, tokens, contacts. */
import type { Catalogue } from "..";

export const account: Catalogue["account"] = {
  kinds: { guest: "Gast", registered: "Konto", bot: "Bot" },
  categories: {
    bullet: "Bullet",
    blitz: "Blitz",
    rapid: "Schnell",
    classical: "Klassisch",
    correspondence: "Fernschach",
    chess960: "Chess960",
  },
  codes: {
    no_server: "Der Server ist nicht erreichbar. Es wurde nichts geändert.",
    no_identity: "Du bist hier nicht mehr angemeldet.",
    already_registered: "Dieser Browser ist schon angemeldet. Lade die Seite neu.",
    bad_password: "Ein Passwort hat 10 bis 128 Zeichen und ist nicht der Name.",
    short_password: "Das Passwort ist zu kurz: mindestens 10 Zeichen.",
    long_password: "Das Passwort ist zu lang: höchstens 128 Zeichen.",
    password_is_name: "Das Passwort ist dasselbe wie der Name.",
    wrong_password: "Das Passwort ist falsch.",
    wrong_name_or_password: "Es gibt kein Konto mit diesem Namen und diesem Passwort.",
    wrong_code: "Es gibt kein Konto mit diesem Namen und diesem Wiederherstellungscode.",
    second_factor_needed: "Dieses Konto verlangt auch einen Code aus der App seines Besitzers.",
    wrong_second_factor: "Dieser Code ist falsch, zu alt oder schon benutzt.",
    has_second_factor: "Dieses Konto hat schon einen zweiten Faktor.",
    no_second_factor: "Dieses Konto hat keinen zweiten Faktor.",
    not_registered: "Dafür brauchst du ein Konto.",
    has_rated_games: "Ein Konto mit gewerteten Partien kann kein Bot werden.",
    has_live_games: "Beende zuerst deine Partien.",
    is_admin: "Mit dem Konto eines Administrators geht das nicht.",
    too_many_tokens: "Du hast so viele Tokens, wie man haben kann. Widerrufe zuerst eines.",
    too_many_blocks: "Du hast so viele Spieler blockiert, wie man kann. Gib zuerst einen frei.",
    too_many_reports: "Es warten so viele Meldungen, wie warten können. Versuche es später noch einmal.",
    own_account: "Das ist dein eigenes Konto.",
    too_many_attempts: "Das waren zu viele Versuche.",
    too_many_sign_ins: "Gerade melden sich zu viele Leute an.",
    missing: "Bitte ausfüllen.",
    too_many_lines: "Eine Meldung fasst höchstens 20 Nachrichten.",
    other_name: "So heißt dein Konto nicht.",
  },
  tryAgainIn: (seconds) =>
    seconds < 90
      ? `Versuche es in ${seconds === 1 ? "einer Sekunde" : `${seconds} Sekunden`} noch einmal.`
      : seconds < 5400
        ? `Versuche es in ${Math.ceil(seconds / 60)} Minuten noch einmal.`
        : `Versuche es in ${Math.ceil(seconds / 3600)} Stunden noch einmal.`,
  sending: "Einen Moment …",
  cancel: "Abbrechen",
  close: "Schließen",

  menu: {
    label: (name, kind) => `${name}, ${kind}: Menü`,
    nobody: "Anmelden oder registrieren: Menü",
    signIn: "Anmelden",
    register: "Registrieren",
    games: "Deine Partien und Wertungen",
    account: "Dein Konto",
    name: "Namen ändern",
    signOut: "Abmelden",
    signedOut: "Du bist abgemeldet.",
  },

  fields: {
    name: "Name",
    password: "Passwort",
    newPassword: "Neues Passwort",
    presentPassword: "Bisheriges Passwort",
    show: "Passwort zeigen",
    passwordHint: "Mindestens 10 Zeichen. Ein paar Wörter sind leicht zu merken und schwer zu erraten.",
    length: (n) => `${n} von 10 Zeichen`,
    recoveryCode: "Wiederherstellungscode",
    secondFactor: "Code aus deiner App",
    secondFactorHint: "Die sechs Ziffern, die deine App gerade zeigt, oder ein Wiederherstellungscode.",
    deviceCode: "Code aus deiner App",
  },

  signIn: {
    title: "Anmelden",
    submit: "Anmelden",
    done: (name) => `Du bist als ${name} angemeldet.`,
    forgotten: "Passwort vergessen",
    withPassword: "Mit dem Passwort anmelden",
    recoverTitle: "Mit einem Wiederherstellungscode anmelden",
    recoverText:
      "Ein Wiederherstellungscode gilt einmal. Er setzt ein neues Passwort und meldet alle anderen Geräte ab.",
    recover: "Passwort setzen und anmelden",
    noAccount: "Stattdessen registrieren",
    guest: (name) =>
      `Dieser Browser spielt als Gast ${name}. Wenn du dich mit einem anderen Konto anmeldest, kann niemand mehr als dieser Gast weiterspielen. Um seine Partien zu behalten, registriere dich stattdessen.`,
  },

  register: {
    title: "Registrieren",
    submit: "Registrieren",
    text: "Du brauchst nur einen Namen und ein Passwort. Mit einem Konto meldest du dich auf jedem Gerät an, und deine Partien können gewertet werden.",
    guest: (name) =>
      `Alles, was ${name} hat, bleibt deins: Partien, offene Herausforderungen, und der Name, wenn du keinen anderen wählst.`,
    haveAccount: "Ich habe ein Konto",
    done: (name) => `Du bist als ${name} registriert.`,
    noCodes:
      "Die Wiederherstellungscodes konnten gerade nicht erzeugt werden. Erzeuge sie auf der Seite deines Kontos.",
  },

  codesShown: {
    title: "Deine Wiederherstellungscodes",
    text: "Wenn du dein Passwort vergisst, meldest du dich mit einem dieser Codes an. Jeder gilt einmal. Sie werden nicht noch einmal gezeigt: Sichere sie jetzt, oder erstelle später auf der Seite deines Kontos neue.",
    copy: "Codes kopieren",
    save: "Als Datei speichern",
    done: "Fertig",
  },

  page: {
    title: "Dein Konto",
    nobody: "Du bist nicht angemeldet",
    nobodyText: "Spiele ohne Anmeldung als Gast, oder mit einem Konto, bei dem du dich von überall anmelden kannst.",
    guestTitle: "Du bist Gast",
    guestText:
      "Nur dieser Browser kennt dich. Werden seine Daten gelöscht, gehören Name und Partien niemandem mehr. Registriere dich, um sie zu behalten.",
    since: (day) => `seit ${day}`,
    mutedUntil: (day) => `Du darfst bis ${day} keine Nachrichten schreiben.`,
    yourPage: "Deine Seite, wie andere sie sehen",
  },

  devices: {
    title: "Geräte",
    text: "Wo dieses Konto angemeldet ist.",
    here: "dieser Browser",
    program: "Programm",
    used: (day) => `zuletzt benutzt am ${day}`,
    end: "Abmelden",
    endOf: (label) => `${label} abmelden`,
    ended: (label) => `${label} ist abgemeldet.`,
    everywhere: "Überall abmelden",
    everywhereText: "Das meldet alle Geräte und Programme ab, auch diesen Browser.",
    unnamed: "Unbekanntes Gerät",
  },

  password: {
    title: "Passwort",
    set: (day) => `Gesetzt am ${day}.`,
    change: "Passwort ändern",
    about: "Das meldet alle anderen Geräte ab.",
    submit: "Neues Passwort setzen",
    done: "Das Passwort ist geändert. Alle anderen Geräte sind abgemeldet.",
  },

  secondFactor: {
    title: "Zweiter Faktor",
    off: "Aus. Mit ihm verlangt die Anmeldung auch einen Code aus einer App auf deinem Telefon.",
    on: (day) => `An seit ${day}. Die Anmeldung verlangt einen Code aus deiner App.`,
    begin: "Einrichten",
    beginSubmit: "Weiter",
    scan: "Lies dieses Bild mit einer App für Einmalcodes, oder gib dort den Schlüssel ein.",
    qr: "QR-Code mit dem Schlüssel",
    key: "Schlüssel",
    copyKey: "Schlüssel kopieren",
    confirm: "Einschalten",
    confirmed: "Der zweite Faktor ist eingeschaltet.",
    remove: "Ausschalten",
    removed: "Der zweite Faktor ist ausgeschaltet.",
  },

  recovery: {
    title: "Wiederherstellungscodes",
    left: (n) => (n === 0 ? "Du hast keinen mehr." : n === 1 ? "Du hast noch einen." : `Du hast noch ${n}.`),
    about: "Mit einem von ihnen kommst du ohne das Passwort hinein.",
    make: "Neue Codes erzeugen",
    makeAbout: "Die Codes, die du jetzt hast, gelten dann nicht mehr.",
  },

  tokens: {
    title: "Tokens für Programme",
    text: "Mit einem Token handelt ein Programm für dich, in den Grenzen, die du setzt.",
    none: "Du hast keine.",
    make: "Token erzeugen",
    name: "Wofür es ist",
    nameHint: "Zum Beispiel: mein Schachprogramm",
    scopesLabel: "Was es außer Lesen darf",
    scopes: {
      play: { name: "Spielen", about: "Züge machen, schreiben, nach Gegnern suchen" },
      challenge: { name: "Herausfordern", about: "Herausforderungen senden, annehmen und ablehnen" },
      bot: { name: "Bot", about: "Dieses Konto zu einem Bot machen" },
    },
    expires: "Gilt",
    expiresNames: { 7: "eine Woche", 30: "30 Tage", 90: "90 Tage", 365: "ein Jahr", 0: "bis es widerrufen wird" },
    submit: "Token erzeugen",
    madeTitle: "Das neue Token",
    madeText: "Kopiere es jetzt: Es wird nur hier gezeigt. Wer es hat, kann alles tun, was du erlaubt hast.",
    copy: "Token kopieren",
    facts: (scopes, used, until) => [scopes, used, until].filter(Boolean).join(" · "),
    readOnly: "darf nur lesen",
    used: (day) => `zuletzt benutzt am ${day}`,
    until: (day) => `bis ${day}`,
    revoke: "Widerrufen",
    revokeOf: (name) => `${name} widerrufen`,
    revoked: (name) => `${name} ist widerrufen.`,
  },

  challenges: {
    title: "Herausforderungen an dich",
    who: "Wer dich mit Namen herausfordern darf",
    from: { everybody: "Alle", accounts: "Registrierte Spieler", nobody: "Niemand" },
    bots: "Auch Bots",
    categories: "Zu diesen Partien",
    saved: "Gespeichert.",
  },

  blocked: {
    title: "Blockierte Spieler",
    text: "Keiner von euch bekommt Herausforderungen, Paarungen oder Nachrichten des anderen.",
    none: "Du hast niemanden blockiert.",
    unblock: "Freigeben",
    unblockOf: (name) => `${name} freigeben`,
    unblocked: (name) => `${name} ist nicht mehr blockiert.`,
  },

  data: {
    title: "Deine Daten",
    exportText: "Alles, was dieser Server außer deinen Partien über dich aufbewahrt, als Datei.",
    export: "Meine Daten speichern",
  },

  bot: {
    title: "Bot werden",
    text: "Wenn ein Programm mit diesem Konto spielen soll, muss es das Konto eines Bots sein. Ein Bot ist überall gekennzeichnet und spielt gewertete Partien nur gegen andere Bots. Das lässt sich nicht rückgängig machen.",
    begin: "Dieses Konto zu einem Bot machen …",
    submit: "Für immer zum Bot machen",
    done: "Dieses Konto ist jetzt das eines Bots.",
  },

  closing: {
    title: "Konto schließen",
    text: "Deine Partien bleiben, mit den Namen, mit denen sie begonnen haben. Alles andere über dich wird gelöscht, und niemand bekommt deinen Namen wieder. Das lässt sich nicht rückgängig machen.",
    begin: "Mein Konto schließen …",
    confirm: (name) => `Gib zur Bestätigung ${name} ein`,
    submit: "Für immer schließen",
    done: "Das Konto ist geschlossen.",
  },
};
