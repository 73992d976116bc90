/** Every text of the page in German, in the shape of the English catalogue. */
import type { Color, Role } from "../chess/square";
import type { Catalogue } from "./en";
import * as play from "./play.de";
import { lobbyDe } from "./lobby.de";

const sides: Record<Color, string> = { white: "Weiß", black: "Schwarz" };
const roles: Record<Role, string> = { p: "Bauer", n: "Springer", b: "Läufer", r: "Turm", q: "Dame", k: "König" };
const genitive = (side: string): string => (side === sides.white ? "von Weiß" : "von Schwarz");

export const de: Catalogue = {
  language: "Deutsch",
  tag: "de",
  sides,
  roles,
  reasons: {
    checkmate: "Matt", resignation: "Aufgabe", stalemate: "Patt", dead_position: "Tote Stellung: keine Zugfolge führt zum Matt",
    agreement: "Remis durch Vereinbarung", flag_fall: "Zeit abgelaufen", threefold_repetition: "Dreimal dieselbe Stellung",
    fifty_moves: "Fünfzig Züge ohne Schlagen und Bauernzug", fivefold_repetition: "Fünfmal dieselbe Stellung",
    seventy_five_moves: "Fünfundsiebzig Züge ohne Schlagen und Bauernzug", abandonment: "Der Gegner ist gegangen", aborted: "Abgebrochen",
    first_move_limit: "Kein erster Zug innerhalb von 30 Sekunden", arbiter: "Entscheidung des Schiedsrichters",
  },
  codes: {
    not_json: "Der Server konnte das nicht lesen.", not_a_message: "Der Server konnte das nicht lesen.", unknown_type: "Der Server kennt diesen Befehl nicht.",
    bad_field: "Eine Angabe ist ungültig.", binary_frame: "Der Server konnte das nicht lesen.", hello_first: "Die Verbindung ist noch nicht bereit.",
    already_identified: "Diese Verbindung hat schon eine Identität.", bad_token: "Der Server kennt dich nicht mehr.",
    too_many_guests: "Zu viele neue Gäste von deiner Adresse. Versuche es in einer Minute noch einmal.", no_account: "Du siehst nur zu.",
    unavailable: "Der Server kann das gerade nicht. Versuche es bald noch einmal.", unknown_game: "Diese Partie gibt es nicht.",
    not_your_game: "Du spielst in dieser Partie nicht mit.", too_many_watched: "Du siehst schon bei der Höchstzahl an Partien zu.",
    unknown_challenge: "Diese Einladung gibt es nicht mehr.", own_challenge: "Das ist deine eigene Einladung. Schicke den Link jemand anderem.",
    not_for_you: "Diese Einladung gilt jemand anderem.", unknown_account: "Diesen Spieler gibt es nicht.", bad_time_control: "Diese Bedenkzeit kann nicht gespielt werden.",
    bad_position: "Aus dieser Stellung kann keine Partie beginnen.", bad_options: "Diese Regeln lassen sich nicht verbinden.",
    too_many_challenges: "Es sind zu viele Einladungen offen.", too_many_games: "Es laufen zu viele Partien.",
    not_over: "Die Partie ist noch nicht zu Ende.", bad_name: "Dieser Name ist nicht erlaubt.", name_taken: "Dieser Name ist schon vergeben.",
    bad_text: "Diese Nachricht kann nicht gesendet werden.", chat_too_fast: "Du schreibst zu schnell.", not_your_room: "Du bist nicht in diesem Chat.", game_over: "Die Partie ist zu Ende.",
    not_your_turn: "Du bist nicht am Zug.", illegal_move: "Dieser Zug ist nicht erlaubt.", stale: "Die Stellung hat sich geändert.", time_is_up: "Die Zeit war abgelaufen.",
    no_offer: "Das Angebot ist nicht mehr offen.", already_offered: "Du hast schon ein Angebot gemacht.", offer_too_early: "Es ist zu früh für ein neues Angebot.",
    both_must_move: "Erst müssen beide Seiten gezogen haben.", not_in_profile: "Die Regeln dieser Partie erlauben das nicht.",
    already_claimed: "In diesem Zug wurde schon Remis reklamiert.", too_late_to_abort: "Zum Abbrechen ist es zu spät.",
    not_absent: "Der Gegner ist da oder noch nicht lange genug weg.", nothing_to_take_back: "Es gibt keinen Zug, den du zurücknehmen könntest.",
    bad_amount: "So viel Zeit kannst du nicht schenken.", ilc_not_possible: "Das kannst du jetzt nicht verlangen.", nothing_due: "Es steht nichts an.",
  },
  profiles: {
    fide_online: { name: "FIDE, online", about: "Dreimalige Stellung und 50-Züge-Regel beenden die Partie von selbst." },
    fide_board: { name: "FIDE, am Brett", about: "Remis muss reklamiert werden. Die Uhr läuft von Anfang an." },
    us_chess: { name: "US Chess", about: "Remis muss reklamiert werden. Die Uhr läuft von Anfang an." },
    casual: { name: "Freundschaftlich", about: "Züge zurücknehmen und Zeit schenken ist erlaubt." },
  },
  lobby: lobbyDe,
  letters: { p: "", n: "S", b: "L", r: "T", q: "D", k: "K" },

  play: { ...play },

  site: {
    home: "Zeitnot, Startseite", skip: "Zum Inhalt springen", languageLabel: "Sprache", soundOn: "Ton ist an", soundOff: "Ton ist aus",
    theme: { auto: "Farben: System", light: "Farben: hell", dark: "Farben: dunkel" },
    title: "Zeitnot – Schach", lost: "Seite nicht gefunden", lostText: "Unter dieser Adresse gibt es keine Seite.", toHome: "Zur Startseite",
  },

  link: {
    connecting: "Verbinde …", slow: "Der Server antwortet gerade nicht …", waiting: "Verbindung verloren. Verbinde neu …", open: "Verbunden",
    delay: (ms) => `${ms} ms`, sending: "Sende …", resent: "Noch einmal gesendet, warte auf den Server …", queued: "Unbestätigt",
    confirmed: "Bestätigt", refused: (code) => `Der Server hat die Verbindung geschlossen (${code}). Lade die Seite neu, um es noch einmal zu versuchen.`,
    tabs: "Du hast hier zu viele Seiten offen. Schließe einige und lade neu.",
  },

  home: {
    headline: "Schach spielen", lead: "Spiele gegen den nächsten Gegner oder verschicke einen Link. Ohne Anmeldung.", newGame: "Neue Partie", clock: "Uhr",
    kinds: { fischer: "Zugabe", delay: "Verzögerung", bronstein: "Bronstein", none: "Ohne Zugabe", days: "Tage je Zug", unlimited: "Unbegrenzt" },
    presets: "Schnellwahl", minutes: "Minuten", seconds: "Sekunden je Zug", days: "Tage je Zug",
    unequal: "Unterschiedliche Bedenkzeit für Weiß und Schwarz", periods: "Mehrere Abschnitte", period: (n) => `Abschnitt ${n}`, periodMoves: "Züge",
    addPeriod: "Abschnitt hinzufügen", removePeriod: (n) => `Abschnitt ${n} entfernen`, lastPeriod: "Rest der Partie", color: "Du spielst", random: "Zufall",
    rules: "Regeln", ilc: "In Zeitnot darf Remis verlangt werden (unzureichende Gewinnaussichten)", variant: "Chess960", variantAbout: "Eine ausgeloste Grundstellung", fen: "Anfangsstellung (FEN)", fenHint: "Leer: die Grundstellung",
    more: "Mehr: Regeln, Stellung, mehrere Abschnitte", create: "Partie anlegen", creating: "Wird angelegt …", yourGames: "Deine Partien", yourMove: "du bist am Zug", theirMove: "Gegner am Zug", go: "Öffnen",
  },

  challenge: {
    title: "Warten auf einen Gegner", text: "Schicke diesen Link. Die Partie beginnt, sobald jemand ihn öffnet und beitritt.", link: "Link zur Partie",
    copy: "Link kopieren", copied: "Kopiert", share: "Teilen", qr: "Der Link als QR-Code", cancel: "Zurückziehen", cancelled: "Die Einladung wurde zurückgezogen.",
    keep: "Lass diese Seite offen. Die Einladung endet eine halbe Minute, nachdem du gehst.", invited: "Du bist zu einer Partie eingeladen",
    invitedText: "Die Partie hat noch nicht begonnen. Wenn dir jemand diesen Link geschickt hat, tritt bei, um zu beginnen.",
    invitedBy: (name) => `${name} lädt dich ein`, join: "Beitreten", joining: "Beitritt läuft …", gone: "Hier ist keine Partie und keine Einladung",
    goneText: "Sie wurde vielleicht zurückgezogen, oder der Link ist unvollständig.",
  },

  control: {
    unlimited: "Unbegrenzt", days: (n) => (n === 1 ? "1 Tag je Zug" : `${n} Tage je Zug`), delay: (s) => `Verzögerung ${s} s`, bronstein: (s) => `Bronstein ${s} s`,
    moves: (n, rest) => `${n} Züge in ${rest}`, next: ", dann ", versus: " gegen ", minutes: (n) => `${n} min`,
  },

  board: {
    label: (side) => `Schachbrett, ${side} unten`, hint: "Pfeiltasten wechseln das Feld. Die Eingabetaste nimmt eine Figur auf und setzt sie ab. Escape bricht ab.",
    square: (name, piece, marks) => [name, piece, marks].filter(Boolean).join(", "),
    piece: (side, role) => `${side === sides.white ? (role === roles.q ? "weiße" : "weißer") : role === roles.q ? "schwarze" : "schwarzer"} ${role}`,
    empty: "", selected: "aufgenommen", target: "Zugziel", lastMove: "letzter Zug", inCheck: "im Schach", premove: "Vorauszug",
    promote: "Umwandeln in", flip: "Brett drehen",
  },

  game: {
    you: "du", live: "Partie", opponentHere: "da", opponentAway: "weg", clockOf: (side) => `Uhr ${genitive(side)}`, noClock: "ohne Uhr",
    firstMove: "Erster Zug innerhalb von 30 Sekunden", toMove: (side) => `${side} am Zug`, yourTurn: "Du bist am Zug", onItsWay: "Dein Zug ist unterwegs",
    deciding: "Die Uhren stehen. Das Ergebnis wird ermittelt …", credit: (ms) => `${ms} ms Netzverzögerung ausgeglichen`, creditShort: (ms) => `+${ms} ms`,
    watchers: (n) => (n === 1 ? "1 Zuschauer" : `${n} Zuschauer`), watching: "Du siehst zu", moves: "Züge", noMoves: "Noch keine Züge", first: "Erste Stellung",
    back: "Einen Zug zurück", forward: "Einen Zug vor", last: "Letzte Stellung", past: "Du siehst eine frühere Stellung.", returnLive: "Zurück zur Partie",
    loadingMoves: "Frühere Züge werden geladen …", tookTime: (s) => `brauchte ${s} s`, premoveSet: (move) => `Vorauszug ${move}`, premoveCancel: "Vorauszug aufheben",
    actions: "Aktionen", draw: "Remis anbieten", drawSent: "Remis angeboten", drawOffered: (side) => `${side} bietet Remis an.`,
    ilcOffered: (side) => `${side} verlangt Remis: unzureichende Gewinnaussichten.`, accept: "Annehmen", decline: "Ablehnen", resign: "Aufgeben",
    resignSure: "Partie aufgeben?", resignYes: "Ja, aufgeben", no: "Nein", abort: "Abbrechen", takeback: "Zug zurück", takebackSent: "Um Rücknahme gebeten",
    takebackOffered: (side, plies) => `${side} möchte ${plies === 1 ? "einen Zug" : "einen Zug und die Antwort"} zurücknehmen.`, giveTime: "15 s schenken",
    claim: "Remis reklamieren …", claimTitle: "Remis reklamieren", claimNow: "Für diese Stellung reklamieren", claimWith: (move) => `Mit ${move} reklamieren`,
    claimNothing: "Nach unserer Zählung gibt es jetzt nichts zu reklamieren. Eine falsche Reklamation kann Zeit kosten.",
    claimThreefold: (n) => `Stellung zum ${n}. Mal auf dem Brett`, claimFifty: (n) => `${n} Züge ohne Schlagen und Bauernzug`, claimAnyway: "Trotzdem reklamieren",
    askIlc: "Unzureichende Gewinnaussichten", absence: "Dein Gegner ist weg.", absenceIn: (s) => `In ${s} s kannst du die Partie beanspruchen.`,
    absenceWin: "Gewinn beanspruchen", absenceDraw: "Remis beanspruchen", close: "Schließen", copyPgn: "PGN kopieren", savePgn: "PGN speichern",
    copyFen: "FEN kopieren", copyLink: "Link kopieren", copied: "Kopiert", copyFailed: "Kopieren fehlgeschlagen.", saveFen: "FEN speichern", share: "Teilen und speichern",
    over: "Die Partie ist zu Ende", wins: (side) => `${side} gewinnt`, draws: "Remis", noResult: "Ohne Ergebnis", youWin: "Du gewinnst", youLose: "Du verlierst",
    proofs: {
      material: "Mit den verbliebenen Figuren ist kein Matt möglich.",
      static: "Kein König kann je dort stehen, wo er matt gesetzt werden könnte.",
      exhaustive: (positions) => `Alle ${positions.toLocaleString("de")} Stellungen, die noch entstehen können, wurden durchsucht: keine ist matt.`,
      helpmate: (moves) => `Matt war noch möglich: ${moves === 1 ? "durch einen Zug" : `durch ${moves} Züge beider Seiten`}.`,
      longHelpmate: "Matt war noch möglich, wenn auch auf einem langen Weg.",
      other: "Es ist bewiesen, dass diese Seite nicht matt setzen kann.",
    },
    special: (score) => `Ergebnis ${score}`, details: (profile, control) => `${control} · ${profile}`,
  },

  typed: {
    label: "Zug oder Befehl eingeben", placeholder: "Sf3, e2e4, Hilfe …", send: "Senden", unclear: (text) => `„${text}“ kann mehrere Züge bedeuten.`,
    unknown: (text) => `„${text}“ ist hier weder Zug noch Befehl.`, notNow: "Das geht jetzt nicht.",
    words: {
      help: ["hilfe", "help", "?"], clock: ["uhr", "uhren", "zeit"], board: ["brett", "stellung"], last: ["letzter", "zug"], draw: ["remis"], accept: ["annehmen", "ja"],
      decline: ["ablehnen", "nein"], resign: ["aufgeben"], abort: ["abbrechen"], takeback: ["zurück", "zurücknehmen"], give: ["schenken", "zeit schenken"],
      claim: ["reklamieren"], cancel: ["aufheben", "vorauszug aufheben"], rematch: ["revanche"], say: ["sagen"], proof: ["beweis"], flip: ["drehen"], pieces: ["figuren"], win: ["gewinn beanspruchen"],
      moves: ["züge"], ilc: ["aussichten"], status: ["stand"],
    },
    helpText: "Züge: Sf3, exd5, O-O, e8=D oder e2e4. Befehle: uhr, brett, letzter, figuren, züge, stand, remis, annehmen, ablehnen, aufgeben, abbrechen, zurücknehmen, schenken, reklamieren, gewinn beanspruchen, aufheben, drehen, sagen mit deiner Nachricht; nach der Partie revanche und beweis. Nach reklamieren kann ein Zug stehen. aufgeben fragt noch einmal nach.",
    resignAgain: "Gib noch einmal aufgeben ein, um aufzugeben.", clocks: (white, black) => `Weiß ${white}. Schwarz ${black}.`, none: "keine",
    legal: (moves) => `Mögliche Züge: ${moves}.`,
  },

  spoken: {
    move: (side, move) => `${side}: ${move}`, castlesShort: "kurze Rochade", castlesLong: "lange Rochade", takes: "schlägt", promotes: (role) => `wird ${role}`,
    check: "Schach", mate: "Matt", drawOffered: (side) => `${side} bietet Remis an`, drawDeclined: (side) => `${side} lehnt das Remis ab`,
    takebackOffered: (side) => `${side} möchte einen Zug zurücknehmen`, takebackDeclined: (side) => `${side} lehnt die Rücknahme ab`, takenBack: "Züge wurden zurückgenommen",
    claimed: (side, right) => `${side} reklamiert Remis${right ? "" : ", zu Unrecht"}`, gift: (side) => `${side} schenkt Zeit`,
    penalty: "Die Bedenkzeit wurde nach einer falschen Reklamation angepasst", arbiter: "Der Schiedsrichter hat die Uhren angepasst",
    remedied: "Abgelehnt. Jeder Zug bringt nun Zeit.", away: (side) => `${side} ist weg`, back: (side) => `${side} ist wieder da`,
    began: (side) => (side ? `Die Partie beginnt. Du spielst ${side}.` : "Die Partie beginnt."), flag: (side) => `Die Zeit ${genitive(side)} ist abgelaufen`,
    resigned: (side) => `${side} gibt auf`, left: (side, seconds) => `${side}: noch ${seconds} Sekunden`, over: (result, reason) => `${result}. ${reason}.`,
    premove: (move) => `Vorauszug ${move}`, premoveGone: "Vorauszug aufgehoben",
    duration: (h, m, s) =>
      [h ? `${h} ${h === 1 ? "Stunde" : "Stunden"}` : "", m ? `${m} ${m === 1 ? "Minute" : "Minuten"}` : "", s || (!h && !m) ? `${s} ${s === 1 ? "Sekunde" : "Sekunden"}` : ""]
        .filter(Boolean)
        .join(" "),
  },
};
