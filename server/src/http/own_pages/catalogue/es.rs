//! Spanish.

use super::{Account, Catalogue, Consent, Fields, Register, SecondFactor, SignIn, Site, Tokens, told_in};

pub(in super::super) static CATALOGUE: Catalogue = Catalogue {
    tag: "es",
    site: Site {
        play: "Jugar o mirar ajedrez",
        nothing_here: "Aquí no hay nada",
        no_such_address: "Ninguna partida, jugador o página tiene esta dirección. Quizá falte una letra del enlace.",
    },
    fields: Fields {
        name: "Nombre",
        password: "Contraseña",
        present_password: "Contraseña actual",
        new_password: "Contraseña nueva",
        password_hint: ("Al menos ", " caracteres, del tipo que sean."),
        recovery_code: "Código de recuperación",
        code: "Código",
        code_or_recovery: "Código del segundo factor, o un código de recuperación",
        code_or_recovery_if_set: "Código del segundo factor, o un código de recuperación (solo si tienes un segundo factor)",
        code_if_set: "Código del segundo factor (solo si tienes uno)",
        code_for_admin: "Código del segundo factor (solo para Admin)",
    },
    sign_in: SignIn {
        title: "Iniciar sesión",
        new_here: "¿No tienes cuenta?",
        by_code: "Iniciar sesión con un código de recuperación",
        by_code_submit: "Elegir la contraseña y entrar",
    },
    register: Register {
        title: "Registrarse",
        guest: ("Has jugado como ", ". Tus partidas siguen siendo tuyas."),
        sign_out_others: "Cerrar la sesión en los demás sitios en los que soy este invitado",
        registered_already: "¿Ya tienes cuenta?",
    },
    account: Account {
        title: "Tu cuenta",
        you_are: ("Eres ", "."),
        export: "Todo lo que se guarda sobre ti",
        devices: "Dispositivos",
        browser: "Un navegador",
        program: "Un programa",
        here: "aquí",
        last_used: ("último uso el ", ""),
        end: "Cerrar sesión",
        sign_out: "Cerrar sesión aquí",
        sign_out_everywhere: "Cerrar sesión en todas partes",
        change_password: "Cambiar la contraseña",
        recovery_codes: "Códigos de recuperación",
        codes_left: |count| {
            let left = match count {
                0 => "No te queda ninguno.".to_owned(),
                1 => "Te queda uno.".to_owned(),
                _ => format!("Te quedan {count}."),
            };
            format!(
                "{left} Con cada uno entras una vez sin la contraseña. Los nuevos sustituyen a todos los anteriores."
            )
        },
        make_codes: "Crear diez códigos nuevos",
        codes_made: "Tus códigos de recuperación",
        codes_once: "Apúntalos: solo se muestran ahora. Con cada uno entras una vez y eliges una contraseña nueva.",
        close_title: "Cerrar la cuenta",
        close_text: "Tus partidas se conservan, con los nombres con los que empezaron. Nadie más tendrá tu nombre, y nada \
                     recuperará la cuenta.",
        close: "Cerrar la cuenta para siempre",
    },
    second_factor: SecondFactor {
        title: "Segundo factor",
        is_set: "Para iniciar sesión hace falta también un código de tu dispositivo, o un código de recuperación.",
        is_not_set: "Con un segundo factor nadie entra solo con tu contraseña: una aplicación de tu dispositivo muestra un \
                     código que cambia cada 30 segundos. Crea antes códigos de recuperación: con ellos entras sin el \
                     dispositivo.",
        set: "Activar un segundo factor",
        remove: "Quitar el segundo factor",
        made: "Tu segundo factor",
        key: "Escribe esta clave en una aplicación de códigos de un solo uso, o abre el enlace en el dispositivo que la tenga. \
              Solo se muestra ahora.",
        open: "Añadirla a la aplicación de este dispositivo",
        first_code: "Escribe después aquí el primer código. Hasta entonces no se pide el segundo factor.",
        confirm: "Confirmar",
    },
    tokens: Tokens {
        title: "Tokens para programas",
        about: "Un programa al que das un token actúa en tu nombre. Todo token puede leer lo que tú ves.",
        name: "Para qué es",
        make: "Crear un token",
        none: "No has creado ninguno.",
        made: ("Tu token «", "»"),
        copy_now: "Cópialo ahora: solo se muestra una vez. Quien lo tenga puede hacer todo lo que has permitido.",
        play: "Jugar: hacer jugadas, escribir, buscar rivales",
        challenge: "Desafiar: enviar, aceptar, rechazar y retirar desafíos",
        bot: "Bot: convertir esta cuenta en un bot",
        admin: "Admin: actuar como administrador",
        expires: "Caduca",
        never: "Nunca",
        in_days: ("En ", " días"),
        expires_on: ("caduca el ", ""),
        revoke: "Revocar",
        for_program: "Un token para un programa",
        acts_as: ("Un programa al que das este token actúa como ", "."),
        bot_for_ever: "Esta cuenta es un bot, para siempre",
        all: "Tus tokens",
        lichess_scopes: [
            "Jugar partidas",
            "Jugar partidas como bot, y convertir esta cuenta en uno",
            "Ver tus desafíos",
            "Enviar, aceptar y rechazar desafíos",
        ],
    },
    consent: Consent {
        title: "¿Dejar entrar a un programa?",
        wants: (" quiere actuar como ", "."),
        allowed_to: "Se le permitiría:",
        read: "Leer lo que tú ves",
        led_to: ("Con tu respuesta se te lleva a ", ". No sabemos quién te ha preguntado allí."),
        allow: "Permitir",
        deny: "No permitir",
        cannot: "Esto no se puede permitir",
        mistake: "El programa que te ha traído aquí ha cometido un error. No se ha permitido nada.",
    },
    errors: [
        ("already_registered", "Ya hay una sesión iniciada en este navegador. Ciérrala antes."),
        ("bad_body", "El formulario no ha llegado entero. Envíalo de nuevo."),
        ("bad_field", "Un campo está vacío, o contiene algo que no puede contener."),
        (
            "bad_name",
            "Un nombre tiene de 2 a 20 caracteres, entre letras de la a a la z, cifras, - y _, y empieza por una letra. Algunos \
             están reservados al servidor.",
        ),
        ("bad_password", "Una contraseña tiene de 10 a 128 caracteres y no es el nombre."),
        ("has_live_games", "Termina antes tus partidas."),
        ("has_rated_games", "Una cuenta que ha jugado partidas puntuadas no puede convertirse en bot."),
        ("has_second_factor", "Esta cuenta ya tiene un segundo factor."),
        ("is_admin", "La cuenta de un administrador no puede hacer esto."),
        ("name_taken", "Ese nombre ya está ocupado."),
        ("no_identity", "Ya no tienes la sesión iniciada aquí."),
        ("no_second_factor", "Esta cuenta no tiene segundo factor."),
        ("not_registered", "Para esto hace falta una cuenta."),
        ("second_factor_needed", "Esta cuenta tiene un segundo factor: escribe también su código."),
        ("too_many_attempts", "Ha habido demasiados intentos."),
        (
            "too_many_guests",
            "Demasiados invitados nuevos desde tu dirección. Inténtalo de nuevo en un minuto.",
        ),
        (
            "too_many_sign_ins",
            "Hay demasiada gente iniciando sesión ahora. Inténtalo de nuevo en un momento.",
        ),
        ("too_many_tokens", "Ya tienes el máximo de tokens. Revoca uno antes."),
        ("unavailable", "El servidor no puede hacerlo ahora. Inténtalo de nuevo dentro de poco."),
        ("unknown_session", "La sesión de este dispositivo ya está cerrada."),
        ("unknown_token", "Este token ya está revocado."),
        ("wrong_code", "No hay ninguna cuenta con este nombre y este código de recuperación."),
        ("wrong_password", "La contraseña es incorrecta, o ninguna cuenta tiene este nombre."),
        ("wrong_second_factor", "Este código es incorrecto, demasiado antiguo o ya se usó."),
    ],
    try_again_in: |seconds| {
        let units = [["segundo", "segundos"], ["minuto", "minutos"], ["hora", "horas"]];
        let (count, unit) = told_in(seconds, units);
        format!("Inténtalo de nuevo en {count} {unit}.")
    },
};
