/** Spanish: the form for a new game, own games, and time controls. */
import type { Catalogue } from "..";

export const home: Catalogue["home"] = {
  headline: "Jugar al ajedrez",
  lead: "Juega contra el próximo rival, o envía un enlace a un amigo. Sin registrarte.",
  apart: {
    title: "Qué es distinto aquí",
    lines: [
      [
        "Ninguna jugada se pierde.",
        "Una jugada confirmada sobrevive a un corte de conexión y a una caída del servidor.",
      ],
      [
        "Las tablas son exactas.",
        "Cuando ya nadie puede dar mate, la partida es tablas al momento, y la página muestra por qué.",
      ],
      ["Ratón, dedo, teclado o lector de pantalla:", "la misma página, entera."],
    ],
  },
  newGame: "Nueva partida",
  clock: "Reloj",
  kinds: {
    fischer: "Incremento",
    delay: "Retardo",
    bronstein: "Bronstein",
    none: "Sin incremento",
    days: "Días por jugada",
    unlimited: "Ilimitado",
  },
  presets: "Ritmos habituales",
  minutes: "Minutos",
  seconds: "Segundos por jugada",
  days: "Días por jugada",
  unequal: "Relojes distintos para blancas y negras",
  periods: "Varios períodos",
  period: (n) => `Período ${n}`,
  periodMoves: "Jugadas",
  addPeriod: "Añadir un período",
  removePeriod: (n) => `Quitar el período ${n}`,
  lastPeriod: "resto de la partida",
  color: "Juegas con",
  random: "Al azar",
  rules: "Reglas",
  ilc: "Permitir pedir tablas en apuros de tiempo (posibilidades de ganar insuficientes)",
  variant: "Chess960",
  variantAbout: "Posición inicial al azar",
  fen: "Posición inicial (FEN)",
  fenHint: "Vacío: la posición habitual",
  more: "Más: reglas, posición, varios períodos",
  create: "Crear la partida",
  creating: "Creando …",
  yourGames: "Tus partidas",
  yourMove: "te toca jugar",
  theirMove: "le toca al rival",
  go: "Abrir",
};

export const control: Catalogue["control"] = {
  unlimited: "Ilimitado",
  days: (n) => (n === 1 ? "1 día por jugada" : `${n} días por jugada`),
  delay: (s) => `retardo ${s} s`,
  bronstein: (s) => `Bronstein ${s} s`,
  moves: (n, rest) => `${n} jugadas en ${rest}`,
  next: ", luego ",
  versus: " contra ",
  minutes: (n) => `${n} min`,
};
