/**
 * Who drew the sets that were not drawn for Zeitnot, and under which licence. Their files have the notices in full.
 *
 * A set is taken only under a licence that neither forbids a use nor extends to the rest of the page.
 */
import type { PieceSet } from "../../../state/settings";

export interface Credit {
  readonly author: string;
  /** Where the drawings are from. */
  readonly source: string;
  readonly licence: string;
  /** The text of the licence. */
  readonly terms: string;
}

const MONGE: Credit = {
  author: "Maurizio Monge",
  source: "https://github.com/maurimo/chess-art",
  licence: "MIT",
  terms: "https://github.com/maurimo/chess-art/blob/master/LICENSE",
};

export const CREDITS: Partial<Record<PieceSet, Credit>> = {
  celtic: MONGE,
  fantasy: MONGE,
  kosal: {
    author: "philatype",
    source: "https://github.com/philatype/kosal",
    licence: "CC BY 4.0",
    terms: "https://creativecommons.org/licenses/by/4.0/",
  },
};
