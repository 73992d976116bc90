/** French: the header, pages that are not there, and the connection. */
import type { Catalogue } from "..";

export const site: Catalogue["site"] = {
  home: "Zeitnot, accueil",
  skip: "Aller au contenu",
  languageFailed: "Les textes de cette langue n’ont pas pu être chargés. Réessayez.",
  title: "Zeitnot – échecs",
  lost: "Page introuvable",
  lostText: "Il n’y a pas de page à cette adresse.",
  toHome: "Aller à l’accueil",
};

export const link: Catalogue["link"] = {
  connecting: "Connexion…",
  slow: "Le serveur ne répond pas pour l’instant…",
  waiting: "Connexion perdue. Reconnexion…",
  open: "Connecté",
  delay: (ms) => `${ms} ms`,
  sending: "Envoi…",
  resent: "Envoyé de nouveau, en attente du serveur…",
  queued: "Pas encore enregistré",
  confirmed: "Coup enregistré",
  rejected: (code) => `Le serveur a fermé la connexion (${code}). Rechargez la page pour réessayer.`,
};
