/** Spanish: the header, pages that are not there, and the connection. */
import type { Catalogue } from "..";

export const site: Catalogue["site"] = {
  home: "Zeitnot, inicio",
  skip: "Ir al contenido",
  languageFailed: "No se han podido cargar los textos de este idioma. Inténtalo de nuevo.",
  title: "Zeitnot – ajedrez",
  lost: "Página no encontrada",
  lostText: "No hay ninguna página en esta dirección.",
  toHome: "Ir al inicio",
};

export const link: Catalogue["link"] = {
  connecting: "Conectando…",
  slow: "El servidor no responde por el momento…",
  waiting: "Conexión perdida. Reconectando…",
  open: "Conectado",
  delay: (ms) => `${ms} ms`,
  sending: "Enviando…",
  resent: "Enviado de nuevo, esperando al servidor…",
  queued: "Aún sin guardar",
  confirmed: "Jugada guardada",
  rejected: (code) => `El servidor ha cerrado la conexión (${code}). Recarga la página para intentarlo de nuevo.`,
};
