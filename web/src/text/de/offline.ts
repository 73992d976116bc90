/** German: the page that is shown without a network. */
import type { Offline } from "../en/offline";

export const offline: Offline = {
  title: "Keine Verbindung",
  text: "Zeitnot ist nicht erreichbar. Partien gehen auf dem Server weiter: bestätigte Züge sind sicher, und die Uhren laufen.",
  again: "Noch einmal versuchen",
};
