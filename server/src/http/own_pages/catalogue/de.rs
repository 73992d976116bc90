//! German.

use super::{Account, Catalogue, Consent, Fields, Register, SecondFactor, SignIn, Site, Tokens, told_in};

pub(in super::super) static CATALOGUE: Catalogue = Catalogue {
    tag: "de",
    site: Site {
        play: "Schach spielen oder zuschauen",
        nothing_here: "Hier ist nichts",
        no_such_address: "Keine Partie, kein Spieler und keine Seite hat diese Adresse. Vielleicht fehlt ein Buchstabe des \
                          Links.",
    },
    fields: Fields {
        name: "Name",
        password: "Passwort",
        present_password: "Bisheriges Passwort",
        new_password: "Neues Passwort",
        password_hint: ("Mindestens ", " Zeichen, gleich welche."),
        recovery_code: "Wiederherstellungscode",
        code: "Code",
        code_or_recovery: "Code des zweiten Faktors oder ein Wiederherstellungscode",
        code_or_recovery_if_set: "Code des zweiten Faktors oder ein Wiederherstellungscode (nur wenn du einen zweiten Faktor \
                                  hast)",
        code_if_set: "Code des zweiten Faktors (nur wenn du einen hast)",
        code_for_admin: "Code des zweiten Faktors (nur für Admin)",
    },
    sign_in: SignIn {
        title: "Anmelden",
        new_here: "Neu hier?",
        by_code: "Mit einem Wiederherstellungscode anmelden",
        by_code_submit: "Passwort setzen und anmelden",
    },
    register: Register {
        title: "Registrieren",
        guest: ("Du hast als ", " gespielt. Deine Partien bleiben deine."),
        sign_out_others: "Überall sonst abmelden, wo ich dieser Gast bin",
        registered_already: "Schon registriert?",
    },
    account: Account {
        title: "Dein Konto",
        you_are: ("Du bist ", "."),
        export: "Alles, was über dich aufbewahrt wird",
        devices: "Geräte",
        browser: "Ein Browser",
        program: "Ein Programm",
        here: "hier",
        last_used: ("zuletzt benutzt am ", ""),
        end: "Abmelden",
        sign_out: "Hier abmelden",
        sign_out_everywhere: "Überall abmelden",
        change_password: "Passwort ändern",
        recovery_codes: "Wiederherstellungscodes",
        codes_left: |count| {
            let left = match count {
                0 => "Du hast keinen mehr.".to_owned(),
                1 => "Du hast noch einen.".to_owned(),
                _ => format!("Du hast noch {count}."),
            };
            format!(
                "{left} Mit jedem meldest du dich einmal ohne Passwort an. Neue ersetzen alle bisherigen."
            )
        },
        make_codes: "Zehn neue Codes erzeugen",
        codes_made: "Deine Wiederherstellungscodes",
        codes_once: "Schreib sie auf: Sie werden nur jetzt gezeigt. Mit jedem meldest du dich einmal an und setzt dabei ein \
                     neues Passwort.",
        close_title: "Konto schließen",
        close_text: "Deine Partien bleiben, mit den Namen, mit denen sie begonnen haben. Niemand bekommt deinen Namen wieder, \
                     und nichts bringt das Konto zurück.",
        close: "Konto für immer schließen",
    },
    second_factor: SecondFactor {
        title: "Zweiter Faktor",
        is_set: "Wer sich anmeldet, braucht auch einen Code von deinem Gerät oder einen Wiederherstellungscode.",
        is_not_set: "Mit einem zweiten Faktor meldet sich niemand mit deinem Passwort allein an: Eine App auf deinem Gerät \
                     zeigt einen Code, der alle 30 Sekunden wechselt. Erzeuge zuerst Wiederherstellungscodes: Mit ihnen \
                     kommst du ohne das Gerät hinein.",
        set: "Zweiten Faktor einrichten",
        remove: "Zweiten Faktor entfernen",
        made: "Dein zweiter Faktor",
        key: "Gib diesen Schlüssel in eine App für Einmalcodes ein, oder öffne den Link auf dem Gerät, das eine hat. Er wird \
              nur jetzt gezeigt.",
        open: "In die App auf diesem Gerät übernehmen",
        first_code: "Gib dann hier den ersten Code ein. Vorher wird der zweite Faktor nicht verlangt.",
        confirm: "Bestätigen",
    },
    tokens: Tokens {
        title: "Tokens für Programme",
        about: "Ein Programm, dem du ein Token gibst, handelt für dich. Jedes Token kann lesen, was du siehst.",
        name: "Wofür es ist",
        make: "Token erzeugen",
        none: "Du hast keine erzeugt.",
        made: ("Dein Token „", "“"),
        copy_now: "Kopiere es jetzt: Es wird nur einmal gezeigt. Wer es hat, kann tun, was du erlaubt hast.",
        play: "Spielen: ziehen, schreiben, nach Gegnern suchen",
        challenge: "Herausfordern: Herausforderungen senden, annehmen, ablehnen und zurückziehen",
        bot: "Bot: dieses Konto zu einem Bot machen",
        admin: "Admin: als Administrator handeln",
        expires: "Läuft ab",
        never: "Nie",
        in_days: ("In ", " Tagen"),
        expires_on: ("läuft am ", " ab"),
        revoke: "Widerrufen",
        for_program: "Ein Token für ein Programm",
        acts_as: ("Ein Programm, dem du dieses Token gibst, handelt als ", "."),
        bot_for_ever: "Dieses Konto ist für immer ein Bot",
        all: "Deine Tokens",
        lichess_scopes: [
            "Partien spielen",
            "Partien als Bot spielen und dieses Konto zu einem machen",
            "Deine Herausforderungen sehen",
            "Herausforderungen senden, annehmen und ablehnen",
        ],
    },
    consent: Consent {
        title: "Ein Programm einlassen?",
        wants: (" möchte als ", " handeln."),
        allowed_to: "Es dürfte:",
        read: "Lesen, was du siehst",
        led_to: ("Mit deiner Antwort wirst du zu ", " geführt. Wer dich dort gefragt hat, wissen wir nicht."),
        allow: "Erlauben",
        deny: "Nicht erlauben",
        cannot: "Das lässt sich nicht erlauben",
        mistake: "Das Programm, das dich hierher geführt hat, hat einen Fehler gemacht. Es wurde nichts erlaubt.",
    },
    errors: [
        ("already_registered", "Dieser Browser ist schon angemeldet. Melde dich zuerst ab."),
        ("bad_body", "Das Formular kam nicht vollständig an. Sende es noch einmal."),
        ("bad_field", "Ein Feld ist leer oder enthält etwas, das dort nicht stehen kann."),
        (
            "bad_name",
            "Ein Name besteht aus 2 bis 20 der Buchstaben a bis z, Ziffern, - und _ und beginnt mit einem Buchstaben. Manche sind \
             dem Server vorbehalten.",
        ),
        ("bad_password", "Ein Passwort hat 10 bis 128 Zeichen und ist nicht der Name."),
        ("has_live_games", "Beende zuerst deine Partien."),
        ("has_rated_games", "Ein Konto mit gewerteten Partien kann kein Bot werden."),
        ("has_second_factor", "Dieses Konto hat schon einen zweiten Faktor."),
        ("is_admin", "Mit dem Konto eines Administrators geht das nicht."),
        ("name_taken", "Dieser Name ist schon vergeben."),
        ("no_identity", "Du bist hier nicht mehr angemeldet."),
        ("no_second_factor", "Dieses Konto hat keinen zweiten Faktor."),
        ("not_registered", "Dafür brauchst du ein Konto."),
        ("second_factor_needed", "Dieses Konto hat einen zweiten Faktor: Gib auch seinen Code ein."),
        ("too_many_attempts", "Das waren zu viele Versuche."),
        (
            "too_many_guests",
            "Zu viele neue Gäste von deiner Adresse. Versuche es in einer Minute noch einmal.",
        ),
        ("too_many_sign_ins", "Gerade melden sich zu viele Leute an. Versuche es gleich noch einmal."),
        ("too_many_tokens", "Du hast so viele Tokens, wie man haben kann. Widerrufe zuerst eines."),
        ("unavailable", "Der Server kann das gerade nicht. Versuche es bald noch einmal."),
        ("unknown_session", "Dieses Gerät ist schon abgemeldet."),
        ("unknown_token", "Dieses Token ist schon widerrufen."),
        ("wrong_code", "Es gibt kein Konto mit diesem Namen und diesem Wiederherstellungscode."),
        ("wrong_password", "Das Passwort ist falsch, oder es gibt kein Konto mit diesem Namen."),
        ("wrong_second_factor", "Dieser Code ist falsch, zu alt oder schon benutzt."),
    ],
    try_again_in: |seconds| {
        let units = [["Sekunde", "Sekunden"], ["Minute", "Minuten"], ["Stunde", "Stunden"]];
        let (count, unit) = told_in(seconds, units);
        format!("Versuche es in {count} {unit} noch einmal.")
    },
};
