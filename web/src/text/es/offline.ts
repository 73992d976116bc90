/** Spanish: the page that is shown without a network. */
import type { Offline } from "../en/offline";

export const offline: Offline = {
  title: "Sin conexión",
  text: "No se puede conectar con Zeitnot. Las partidas siguen en el servidor: las jugadas confirmadas están a salvo y los relojes siguen corriendo.",
  again: "Volver a intentarlo",
};
