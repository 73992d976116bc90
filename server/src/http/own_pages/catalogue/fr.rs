//! French.

use super::{Account, Catalogue, Consent, Fields, Register, SecondFactor, SignIn, Site, Tokens, told_in};

pub(in super::super) static CATALOGUE: Catalogue = Catalogue {
    tag: "fr",
    site: Site {
        play: "Jouer ou regarder une partie",
        nothing_here: "Il n’y a rien ici",
        no_such_address: "Aucune partie, aucun joueur, aucune page n’a cette adresse. Il manque peut-être une lettre au lien.",
    },
    fields: Fields {
        name: "Nom",
        password: "Mot de passe",
        present_password: "Mot de passe actuel",
        new_password: "Nouveau mot de passe",
        password_hint: ("Au moins ", " caractères, quels qu’ils soient."),
        recovery_code: "Code de secours",
        code: "Code",
        code_or_recovery: "Code du second facteur, ou code de secours",
        code_or_recovery_if_set: "Code du second facteur, ou code de secours (seulement si vous avez un second facteur)",
        code_if_set: "Code du second facteur (seulement si vous en avez un)",
        code_for_admin: "Code du second facteur (pour Admin seulement)",
    },
    sign_in: SignIn {
        title: "Se connecter",
        new_here: "Nouveau ici ?",
        by_code: "Se connecter avec un code de secours",
        by_code_submit: "Choisir le mot de passe et se connecter",
    },
    register: Register {
        title: "S’inscrire",
        guest: ("Vous avez joué sous le nom de ", ". Vos parties restent les vôtres."),
        sign_out_others: "Me déconnecter partout ailleurs où je suis cet invité",
        registered_already: "Déjà inscrit ?",
    },
    account: Account {
        title: "Votre compte",
        you_are: ("Vous êtes ", "."),
        export: "Tout ce qui est conservé à votre sujet",
        devices: "Appareils",
        browser: "Un navigateur",
        program: "Un programme",
        here: "ici",
        last_used: ("dernière utilisation le ", ""),
        end: "Déconnecter",
        sign_out: "Se déconnecter ici",
        sign_out_everywhere: "Se déconnecter partout",
        change_password: "Changer le mot de passe",
        recovery_codes: "Codes de secours",
        codes_left: |count| {
            let left = match count {
                0 => "Il ne vous en reste aucun.".to_owned(),
                1 => "Il vous en reste un.".to_owned(),
                _ => format!("Il vous en reste {count}."),
            };
            format!(
                "{left} Chacun vous connecte une fois, sans le mot de passe. Les nouveaux remplacent tous les anciens."
            )
        },
        make_codes: "Créer dix nouveaux codes",
        codes_made: "Vos codes de secours",
        codes_once: "Notez-les : ils ne seront plus affichés. Chacun vous connecte une fois, avec un nouveau mot de passe.",
        close_title: "Fermer le compte",
        close_text: "Vos parties restent, sous les noms avec lesquels elles ont commencé. Personne d’autre n’aura votre nom, et \
                     rien ne fera revenir le compte.",
        close: "Fermer le compte pour toujours",
    },
    second_factor: SecondFactor {
        title: "Second facteur",
        is_set: "Pour se connecter, il faut aussi un code de votre appareil, ou un code de secours.",
        is_not_set: "Avec un second facteur, votre mot de passe ne suffit plus pour se connecter : une application sur votre \
                     appareil affiche un code qui change toutes les 30 secondes. Créez d’abord des codes de secours : ils \
                     vous font entrer sans l’appareil.",
        set: "Activer un second facteur",
        remove: "Supprimer le second facteur",
        made: "Votre second facteur",
        key: "Saisissez cette clé dans une application de codes à usage unique, ou ouvrez le lien sur l’appareil qui en a une. \
              Elle ne sera plus affichée.",
        open: "L’ajouter à l’application de cet appareil",
        first_code: "Saisissez ensuite le premier code ici. Le second facteur n’est pas demandé avant.",
        confirm: "Confirmer",
    },
    tokens: Tokens {
        title: "Jetons pour programmes",
        about: "Un programme à qui vous donnez un jeton agit en votre nom. Chaque jeton peut lire ce que vous voyez.",
        name: "À quoi il sert",
        make: "Créer un jeton",
        none: "Vous n’en avez créé aucun.",
        made: ("Votre jeton « ", " »"),
        copy_now: "Copiez-le maintenant : il n’est affiché qu’une fois. Qui l’a peut faire tout ce que vous avez permis.",
        play: "Jouer : jouer des coups, écrire, chercher des adversaires",
        challenge: "Défier : envoyer, accepter, refuser et retirer des défis",
        bot: "Bot : faire de ce compte un bot",
        admin: "Admin : agir en administrateur",
        expires: "Expire",
        never: "Jamais",
        in_days: ("Dans ", " jours"),
        expires_on: ("expire le ", ""),
        revoke: "Révoquer",
        for_program: "Un jeton pour un programme",
        acts_as: ("Un programme à qui vous donnez ce jeton agit au nom de ", "."),
        bot_for_ever: "Ce compte est un bot, pour toujours",
        all: "Vos jetons",
        lichess_scopes: [
            "Jouer des parties",
            "Jouer des parties comme bot, et faire de ce compte un bot",
            "Voir vos défis",
            "Envoyer, accepter et refuser des défis",
        ],
    },
    consent: Consent {
        title: "Laisser entrer un programme ?",
        wants: (" veut agir au nom de ", "."),
        allowed_to: "Il pourrait :",
        read: "Lire ce que vous voyez",
        led_to: ("Votre réponse vous mène à ", ". Nous ne savons pas qui vous a posé la question là-bas."),
        allow: "Autoriser",
        deny: "Ne pas autoriser",
        cannot: "Cela ne peut pas être autorisé",
        mistake: "Le programme qui vous a mené ici a fait une erreur. Rien n’a été autorisé.",
    },
    errors: [
        ("already_registered", "Ce navigateur est déjà connecté. Déconnectez-vous d’abord."),
        ("bad_body", "Le formulaire n’est pas arrivé en entier. Envoyez-le de nouveau."),
        ("bad_field", "Un champ est vide, ou contient ce qu’il ne peut pas contenir."),
        (
            "bad_name",
            "Un nom a de 2 à 20 signes, parmi les lettres de a à z, les chiffres, - et _, et commence par une lettre. Certains sont \
             réservés au serveur.",
        ),
        ("bad_password", "Un mot de passe a de 10 à 128 caractères et n’est pas le nom."),
        ("has_live_games", "Terminez d’abord vos parties."),
        ("has_rated_games", "Un compte qui a joué des parties classées ne peut pas devenir un bot."),
        ("has_second_factor", "Ce compte a déjà un second facteur."),
        ("is_admin", "Le compte d’un administrateur ne peut pas faire cela."),
        ("name_taken", "Ce nom est déjà pris."),
        ("no_identity", "Vous n’êtes plus connecté ici."),
        ("no_second_factor", "Ce compte n’a pas de second facteur."),
        ("not_registered", "Il faut un compte pour cela."),
        ("second_factor_needed", "Ce compte a un second facteur : saisissez aussi son code."),
        ("too_many_attempts", "Il y a eu trop de tentatives."),
        ("too_many_guests", "Trop de nouveaux invités depuis votre adresse. Réessayez dans une minute."),
        ("too_many_sign_ins", "Trop de personnes se connectent en ce moment. Réessayez dans un instant."),
        ("too_many_tokens", "Vous avez autant de jetons que possible. Révoquez-en un d’abord."),
        ("unavailable", "Le serveur ne peut pas le faire en ce moment. Réessayez bientôt."),
        ("unknown_session", "Cet appareil est déjà déconnecté."),
        ("unknown_token", "Ce jeton est déjà révoqué."),
        ("wrong_code", "Aucun compte n’a ce nom et ce code de secours."),
        ("wrong_password", "Le mot de passe est incorrect, ou aucun compte n’a ce nom."),
        ("wrong_second_factor", "Ce code est incorrect, trop ancien ou déjà utilisé."),
    ],
    try_again_in: |seconds| {
        let units = [["seconde", "secondes"], ["minute", "minutes"], ["heure", "heures"]];
        let (count, unit) = told_in(seconds, units);
        format!("Réessayez dans {count} {unit}.")
    },
};
