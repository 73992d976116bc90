/**
 * The terms of a challenge or seek as text, for its creator and for its opponent.
 *
 * Pure. Defaults are left out.
 */
import type { Challenge } from "#protocol";
import { other } from "../chess/square";
import type { Catalogue } from ".";
import { showControl } from "./words";

export type Terms = Pick<
  Challenge,
  "color" | "fen" | "options" | "rated" | "rating_max" | "rating_min" | "rematch_of" | "time_control" | "variant"
>;

/** Whose colour is shown: the creator's, or the one that is left for the opponent. */
export type Viewer = "owner" | "joiner";

function colorOf(text: Catalogue, { color }: Terms, viewer: Viewer): string {
  if (viewer === "owner") return color === null ? text.home.random : text.sides[color];
  return color === null ? text.lobby.randomColor : text.lobby.youPlay(text.sides[other(color)]);
}

function ratingsOf({ people }: Catalogue, { rating_min: least, rating_max: most }: Terms): string {
  if (least !== undefined && most !== undefined) return people.rated.between(least, most);
  if (least !== undefined) return people.rated.from(least);
  return most === undefined ? "" : people.rated.upTo(most);
}

/** Everything except the clock. */
export function detailsOf(text: Catalogue, terms: Terms, viewer: Viewer): string {
  const { options, variant, fen, rematch_of } = terms;
  const { lobby } = text;
  return [
    rematch_of === undefined ? "" : lobby.rematch,
    terms.rated ? text.people.rated.rated : "",
    ratingsOf(text, terms),
    colorOf(text, terms, viewer),
    text.profiles[options.profile].name,
    variant === "chess960" ? lobby.chess960 : "",
    fen === undefined ? "" : lobby.position,
    options.no_draw_offer_before_move > 0 ? lobby.noDraws(options.no_draw_offer_before_move) : "",
    options.ilc === "off" ? "" : lobby.ilc,
  ]
    .filter(Boolean)
    .join(" · ");
}

export function termsOf(text: Catalogue, terms: Terms, viewer: Viewer): string {
  return `${showControl(text, terms.time_control)} · ${detailsOf(text, terms, viewer)}`;
}
