/** Spanish: other players: ratings, blocking, muting, reporting. */
import type { Catalogue } from "..";

export const people: Catalogue["people"] = {
  rating: (points, isProvisional) => (isProvisional ? `${points}?` : String(points)),
  ratingInWords: (points, isProvisional) =>
    isProvisional ? `puntuación ${points}, provisional` : `puntuación ${points}`,
  score: (own, theirs, name) => `Tú ${own} – ${theirs} ${name}`,
  met: (n, others) => {
    const games = n === 1 ? "1 partida" : `${n} partidas`;
    if (others === 0) return games;
    return others === n ? `${games} sin resultado` : `${games}, ${others} sin resultado`;
  },
  neverMet: "Aún no habéis jugado entre vosotros.",
  beginning: (name) => `Jugadores cuyo nombre empieza por «${name}»`,
  memberSince: (month) => `Miembro desde ${month}`,
  challenge: "Desafiar",

  record: {
    title: "Balance",
    sides: { both: "Todas las partidas", white: "Con blancas", black: "Con negras" },
  },

  ratings: {
    title: "Puntuaciones",
    category: "Categoría",
    games: (n) => (n === 1 ? "1 partida" : `${n} partidas`),
    chart: (category, first, last, low, high) =>
      `${category}: de ${first} a ${last}, la más baja ${low}, la más alta ${high}`,
    latest: (n) => `Últimas ${n} partidas`,
    peak: (rating, day) => `Máximo ${rating} (${day})`,
    bestWin: (rating) => `Mejor victoria contra ${rating}`,
    opponents: (rating) => `Rivales: ${rating} de media`,
    table: "Como tabla",
    older: "Partidas anteriores",
    day: "Día",
    change: "Puntuación",
    result: "Resultado",
    withdrawn: "ya no cuenta",
    corrected: "corregido",
    step: (before, after) => `${before} → ${after}`,
    provisional: "? significa provisional: pocas partidas recientes para fiarse de ella.",
  },

  follow: {
    begin: "Seguir",
    is: "Siguiendo",
    end: "Dejar de seguir",
    about: "Los jugadores que sigues aparecen en tu página de inicio. Nadie más lo ve.",
    begun: (name) => `Sigues a ${name}.`,
    ended: (name) => `Ya no sigues a ${name}.`,
    full: (most) => `Ya sigues a ${most} jugadores, el máximo. Deja antes de seguir a uno.`,
    title: "Jugadores que sigues",
    watch: (name) => `Ver a ${name}`,
    playing: (name) => (name ? `juega contra ${name}` : "juega"),
    playingYou: "juega contra ti",
    watchNow: "Ver",
    away: (n) => (n === 1 ? "1 desconectado" : `${n} desconectados`),
  },
  block: "Bloquear",
  unblock: "Desbloquear",
  blockOrReport: "Bloquear o denunciar",
  blockAbout: "Ninguno de los dos recibe desafíos, emparejamientos ni mensajes del otro.",
  blocked: (name) => `${name} está bloqueado.`,
  unblocked: (name) => `${name} ya no está bloqueado.`,
  mute: "Silenciar",
  unmute: "Volver a leer",
  muteOf: (name) => `Silenciar a ${name}`,
  unmuteOf: (name) => `Volver a leer a ${name}`,
  blockOf: (name) => `Bloquear a ${name}`,
  reportOf: (name) => `Denunciar a ${name}`,
  muted: (name) => `Ya no ves lo que escribe ${name}.`,
  unmuted: (name) => `Vuelves a ver lo que escribe ${name}.`,
  hidden: (n) =>
    n === 1
      ? "1 mensaje de un jugador silenciado está oculto."
      : `${n} mensajes de jugadores silenciados están ocultos.`,

  report: {
    button: "Denunciar",
    title: (name) => `Denunciar a ${name}`,
    text: "La leen los administradores de este servidor. Al jugador no se le dice.",
    reason: "Motivo",
    reasons: { cheating: "Trampas", insults: "Insultos", spam: "Spam", other: "Otra cosa" },
    lines: "Mensajes de los que se trata",
    linesAbout: "El servidor los añade tal como se escribieron.",
    noLines: "Este jugador no ha escrito nada aquí.",
    about: "Qué ha pasado",
    submit: "Enviar la denuncia",
    done: (number) => `Gracias. Tu denuncia tiene el número ${number}.`,
  },

  chat: {
    people: "Jugadores de este chat",
    nobody: "Nadie más ha escrito aquí todavía.",
    phrases: "Frases hechas",
  },

  rated: {
    off: "Solo los jugadores registrados juegan partidas puntuadas.",
    toJoin: "Esta partida es puntuada: regístrate o inicia sesión para unirte. Bastan un nombre y una contraseña.",
    notThis:
      "Las partidas puntuadas empiezan en la posición habitual, con el mismo reloj para los dos, y con reglas sin deshacer jugadas.",
    submit: (what, isRated) => `${what} (${isRated ? "puntuada" : "amistosa"})`,
    range: "Solo para puntuaciones",
    least: "de",
    most: "a",
    anyRating: "todas",
    from: (least) => `puntuación desde ${least}`,
    upTo: (most) => `puntuación hasta ${most}`,
    between: (least, most) => `puntuación de ${least} a ${most}`,
    pools: "Las partidas entre dos jugadores registrados son puntuadas.",
  },
};
