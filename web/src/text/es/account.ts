/** Spanish: one's own account: signing in, devices, tokens, contacts. */
import type { Catalogue } from "..";

export const account: Catalogue["account"] = {
  kinds: { guest: "invitado", registered: "cuenta", bot: "bot" },
  categories: {
    bullet: "Bala",
    blitz: "Blitz",
    rapid: "Rápida",
    classical: "Clásica",
    correspondence: "Correspondencia",
    chess960: "Chess960",
  },
  codes: {
    no_server: "No se puede contactar con el servidor. No se ha cambiado nada.",
    no_identity: "Ya no tienes la sesión iniciada aquí.",
    already_registered: "Ya hay una sesión iniciada en este navegador. Recarga la página.",
    bad_password: "Una contraseña tiene de 10 a 128 caracteres y no es el nombre.",
    short_password: "La contraseña es demasiado corta: al menos 10 caracteres.",
    long_password: "La contraseña es demasiado larga: como máximo 128 caracteres.",
    password_is_name: "La contraseña es igual que el nombre.",
    wrong_password: "La contraseña es incorrecta.",
    wrong_name_or_password: "No hay ninguna cuenta con este nombre y esta contraseña.",
    wrong_code: "No hay ninguna cuenta con este nombre y este código de recuperación.",
    second_factor_needed: "Esta cuenta pide también un código de la aplicación de su dueño.",
    wrong_second_factor: "Este código es incorrecto, demasiado antiguo o ya se usó.",
    has_second_factor: "Esta cuenta ya tiene un segundo factor.",
    no_second_factor: "Esta cuenta no tiene segundo factor.",
    not_registered: "Para esto hace falta una cuenta.",
    has_rated_games: "Una cuenta que ha jugado partidas puntuadas no puede convertirse en bot.",
    has_live_games: "Termina antes tus partidas.",
    is_admin: "La cuenta de un administrador no puede hacer esto.",
    too_many_tokens: "Ya tienes el máximo de tokens. Revoca uno antes.",
    too_many_blocks: "Ya has bloqueado al máximo de jugadores. Desbloquea a uno antes.",
    too_many_reports: "Ya hay demasiadas denuncias en espera. Inténtalo más tarde.",
    own_account: "Es tu propia cuenta.",
    too_many_attempts: "Ha habido demasiados intentos.",
    too_many_sign_ins: "Hay demasiada gente iniciando sesión ahora.",
    missing: "Rellena este campo.",
    too_many_lines: "Una denuncia contiene como mucho 20 mensajes.",
    other_name: "Ese no es el nombre de tu cuenta.",
  },
  tryAgainIn: (seconds) =>
    seconds < 90
      ? `Inténtalo de nuevo en ${seconds === 1 ? "un segundo" : `${seconds} segundos`}.`
      : seconds < 5400
        ? `Inténtalo de nuevo en ${Math.ceil(seconds / 60)} minutos.`
        : `Inténtalo de nuevo en ${Math.ceil(seconds / 3600)} horas.`,
  sending: "Un momento…",
  cancel: "Cancelar",
  close: "Cerrar",

  menu: {
    label: (name, kind) => `${name}, ${kind}: menú`,
    nobody: "Iniciar sesión o registrarse: menú",
    signIn: "Iniciar sesión",
    register: "Registrarse",
    games: "Tus partidas y puntuaciones",
    account: "Tu cuenta",
    name: "Cambiar de nombre",
    signOut: "Cerrar sesión",
    signedOut: "Has cerrado la sesión.",
  },

  fields: {
    name: "Nombre",
    password: "Contraseña",
    newPassword: "Contraseña nueva",
    presentPassword: "Contraseña actual",
    show: "Mostrar la contraseña",
    passwordHint: "Al menos 10 caracteres. Unas cuantas palabras son fáciles de recordar y difíciles de adivinar.",
    length: (n) => `${n} de 10 caracteres`,
    recoveryCode: "Código de recuperación",
    secondFactor: "Código de tu aplicación",
    secondFactorHint: "Las seis cifras que muestra tu aplicación, o un código de recuperación.",
    deviceCode: "Código de tu aplicación",
  },

  signIn: {
    title: "Iniciar sesión",
    submit: "Iniciar sesión",
    done: (name) => `Has iniciado sesión como ${name}.`,
    forgotten: "He olvidado mi contraseña",
    withPassword: "Entrar con la contraseña",
    recoverTitle: "Entrar con un código de recuperación",
    recoverText:
      "Un código de recuperación sirve una vez. Con él eliges una contraseña nueva y se cierra la sesión en los demás dispositivos.",
    recover: "Elegir la contraseña y entrar",
    noAccount: "Prefiero registrarme",
    guest: (name) =>
      `En este navegador juegas como el invitado ${name}. Si inicias sesión en otra cuenta, nadie podrá seguir jugando como ese invitado. Para conservar sus partidas, es mejor que te registres.`,
  },

  register: {
    title: "Registrarse",
    submit: "Registrarse",
    text: "Solo hacen falta un nombre y una contraseña. Con una cuenta entras desde cualquier dispositivo, y tus partidas pueden ser puntuadas.",
    guest: (name) =>
      `Todo lo que tiene ${name} sigue siendo tuyo: partidas, desafíos abiertos y el nombre, si no eliges otro.`,
    haveAccount: "Ya tengo cuenta",
    done: (name) => `Te has registrado como ${name}.`,
    noCodes: "No se han podido crear los códigos de recuperación. Créalos en la página de tu cuenta.",
  },

  codesShown: {
    title: "Tus códigos de recuperación",
    text: "Si olvidas tu contraseña, con uno de estos códigos inicias sesión. Cada uno sirve una sola vez. No se vuelven a mostrar: guárdalos ahora, o crea otros más tarde en la página de tu cuenta.",
    copy: "Copiar los códigos",
    save: "Guardar en un archivo",
    done: "Listo",
  },

  page: {
    title: "Tu cuenta",
    nobody: "No has iniciado sesión",
    nobodyText:
      "Juega sin iniciar sesión, como invitado, o con una cuenta en la que puedes entrar desde cualquier sitio.",
    guestTitle: "Eres un invitado",
    guestText:
      "Solo este navegador te conoce. Si se borran sus datos, tu nombre y tus partidas no serán de nadie. Regístrate para conservarlos.",
    since: (day) => `desde el ${day}`,
    mutedUntil: (day) => `No puedes escribir mensajes hasta el ${day}.`,
    yourPage: "Tu página, tal como la ven los demás",
  },

  devices: {
    title: "Dispositivos",
    text: "Dónde está abierta la sesión de esta cuenta.",
    here: "este navegador",
    program: "programa",
    used: (day) => `último uso el ${day}`,
    end: "Cerrar sesión",
    endOf: (label) => `Cerrar la sesión de ${label}`,
    ended: (label) => `Se ha cerrado la sesión de ${label}.`,
    everywhere: "Cerrar sesión en todas partes",
    everywhereText: "Esto cierra la sesión en todos los dispositivos y programas, también en este navegador.",
    unnamed: "Dispositivo desconocido",
  },

  password: {
    title: "Contraseña",
    set: (day) => `Establecida el ${day}.`,
    change: "Cambiar la contraseña",
    about: "Esto cierra la sesión en los demás dispositivos.",
    submit: "Guardar la contraseña nueva",
    done: "Se ha cambiado la contraseña y se ha cerrado la sesión en los demás dispositivos.",
  },

  secondFactor: {
    title: "Segundo factor",
    off: "Desactivado. Con él, para entrar hace falta también un código de una aplicación de tu teléfono.",
    on: (day) => `Activado desde el ${day}. Para entrar hace falta un código de tu aplicación.`,
    begin: "Configurarlo",
    beginSubmit: "Continuar",
    scan: "Escanea esta imagen con una aplicación de códigos de un solo uso, o escribe en ella la clave.",
    qr: "Código QR con la clave",
    key: "Clave",
    copyKey: "Copiar la clave",
    confirm: "Activarlo",
    confirmed: "El segundo factor está activado.",
    remove: "Desactivarlo",
    removed: "El segundo factor está desactivado.",
  },

  recovery: {
    title: "Códigos de recuperación",
    left: (n) => (n === 0 ? "No te queda ninguno." : n === 1 ? "Te queda uno." : `Te quedan ${n}.`),
    about: "Con uno de ellos entras sin la contraseña.",
    make: "Crear códigos nuevos",
    makeAbout: "Los códigos que tienes ahora dejarán de servir.",
  },

  tokens: {
    title: "Tokens para programas",
    text: "Con un token, un programa actúa por ti, dentro de los límites que pongas.",
    none: "No tienes ninguno.",
    make: "Crear un token",
    name: "Para qué es",
    nameHint: "Por ejemplo: mi programa de ajedrez",
    scopesLabel: "Qué puede hacer, además de leer",
    scopes: {
      play: { name: "Jugar", about: "Hacer jugadas, escribir, buscar rivales" },
      challenge: { name: "Desafiar", about: "Enviar, aceptar y rechazar desafíos" },
      bot: { name: "Bot", about: "Convertir esta cuenta en un bot" },
    },
    expires: "Validez",
    expiresNames: { 7: "una semana", 30: "30 días", 90: "90 días", 365: "un año", 0: "hasta que se revoque" },
    submit: "Crear el token",
    madeTitle: "El token nuevo",
    madeText: "Cópialo ahora: solo se muestra aquí. Quien lo tenga puede hacer todo lo que has permitido.",
    copy: "Copiar el token",
    facts: (scopes, used, until) => [scopes, used, until].filter(Boolean).join(" · "),
    readOnly: "solo puede leer",
    used: (day) => `último uso el ${day}`,
    until: (day) => `hasta el ${day}`,
    revoke: "Revocar",
    revokeOf: (name) => `Revocar ${name}`,
    revoked: (name) => `${name} se ha revocado.`,
  },

  challenges: {
    title: "Desafíos para ti",
    who: "Quién puede desafiarte por tu nombre",
    from: { everybody: "Todos", accounts: "Jugadores registrados", nobody: "Nadie" },
    bots: "También los bots",
    categories: "Para estas partidas",
    saved: "Guardado.",
  },

  blocked: {
    title: "Jugadores bloqueados",
    text: "Ninguno de los dos recibe desafíos, emparejamientos ni mensajes del otro.",
    none: "No has bloqueado a nadie.",
    unblock: "Desbloquear",
    unblockOf: (name) => `Desbloquear a ${name}`,
    unblocked: (name) => `${name} ya no está bloqueado.`,
  },

  data: {
    title: "Tus datos",
    exportText: "Todo lo que este servidor guarda sobre ti, además de tus partidas, en un archivo.",
    export: "Guardar mis datos",
  },

  bot: {
    title: "Convertirse en bot",
    text: "Si va a jugar un programa con esta cuenta, tiene que ser la de un bot. Un bot aparece marcado como tal en todas partes y solo juega partidas puntuadas contra otros bots. No se puede deshacer.",
    begin: "Convertir esta cuenta en un bot…",
    submit: "Convertirla para siempre",
    done: "Esta cuenta es la de un bot.",
  },

  closing: {
    title: "Cerrar la cuenta",
    text: "Tus partidas se conservan, con los nombres con los que empezaron. Todo lo demás sobre ti se borra, y nadie más tendrá tu nombre. No se puede deshacer.",
    begin: "Cerrar mi cuenta…",
    confirm: (name) => `Escribe ${name} para confirmar`,
    submit: "Cerrarla para siempre",
    done: "La cuenta está cerrada.",
  },
};
