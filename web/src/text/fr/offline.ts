/** French: the page that is shown without a network. */
import type { Offline } from "../en/offline";

export const offline: Offline = {
  title: "Pas de connexion",
  text: "Zeitnot est injoignable. Les parties continuent sur le serveur : les coups confirmés sont à l’abri, et les pendules tournent.",
  again: "Réessayer",
};
