/** Spanish: the settings. */
import type { Catalogue } from "..";

export const settings: Catalogue["settings"] = {
  title: "Ajustes",
  board: "Tablero",
  boardColors: {
    label: "Colores del tablero",
    names: {
      wood: "Madera",
      green: "Verde",
      blue: "Azul",
      grey: "Gris",
      purple: "Violeta",
      contrast: "Alto contraste",
    },
  },
  pieces: { label: "Piezas", names: { staunton: "Staunton", modern: "Modernas", simple: "Sencillas" } },
  coordinates: "Coordenadas",
  legalMoves: "Marcar las jugadas posibles",
  animation: "Jugadas animadas",
  play: "Juego",
  premoves: { label: "Jugadas anticipadas", names: { none: "Ninguna", one: "Una", several: "Varias" } },
  moveConfirmation: "Confirmar cada jugada",
  autoQueen: "Coronar siempre dama",
  view: "Aspecto",
  theme: { label: "Colores de la página", names: { system: "Sistema", light: "Claro", dark: "Oscuro" } },
  language: "Idioma",
  largeClocks: "Relojes grandes",
  zen: "Zen: solo tablero y relojes (z)",
  zenOn: "Solo se ven el tablero y los relojes. Escape muestra todo.",
  zenOff: "Se ve todo.",
  zenLeave: "Salir de zen",
  sounds: "Sonidos",
  vibration: "Vibrar cuando me toque jugar",
  volume: "Volumen",
  soundOn: "El sonido está activado",
  soundOff: "El sonido está apagado",
};
