/**
 * The terms of a game as text: rated or casual, category and clock; of a challenge or seek also what differs from the
 * defaults, for its creator and for its opponent.
 *
 * Pure. The rules of the game are named only if they are not those that most games have.
 */
import type { Challenge, WireProfile } from "#protocol";
import { other } from "../chess/square";
import { speedOf } from "../state/lobby";
import type { Fate } from "../state/played";
import type { Catalogue } from ".";
import { showControl } from "./words";

export type Terms = Pick<
  Challenge,
  "color" | "fen" | "options" | "rated" | "rating_max" | "rating_min" | "rematch_of" | "time_control" | "variant"
>;

/** What a game is, before and after it was played. */
export type Format = Pick<Challenge, "time_control" | "variant"> & { readonly rated?: boolean | undefined };

/**
 * Whose colour is shown: the creator's, or the one that is left for the opponent. Whoever comes too late would have had that
 * one, but is given none by lot.
 */
export type Viewer = "owner" | "joiner" | "late";

function colorOf(text: Catalogue, { color }: Terms, viewer: Viewer): string {
  if (color === null) return viewer === "joiner" ? text.lobby.yourRandomColor : text.lobby.randomColor;
  return text.lobby.youPlay(text.sides[viewer === "owner" ? color : other(color)]);
}

function ratingsOf({ people }: Catalogue, { rating_min: least, rating_max: most }: Terms): string {
  if (least !== undefined && most !== undefined) return people.rated.between(least, most);
  if (least !== undefined) return people.rated.from(least);
  return most === undefined ? "" : people.rated.upTo(most);
}

/** Whether a game counts for ratings. A casual one may be played by any rules. */
export function showRated({ archive }: Catalogue, rated: boolean | undefined): string {
  return rated ? archive.isRated : archive.isCasual;
}

/** Rated or not, the category, and the clock: `Rated · Blitz · 3+2`. */
export function formatOf(text: Catalogue, format: Format): string {
  return `${showRated(text, format.rated)} · ${timesOf(text, format)}`;
}

/** Of a finished game. Without a result it has counted for no rating, whatever was agreed. */
export function playedFormat(text: Catalogue, format: Format, fate: Fate): string {
  return fate === "noResult" ? timesOf(text, format) : formatOf(text, format);
}

function timesOf(text: Catalogue, { variant, time_control: control }: Format): string {
  return [
    variant === "chess960" ? text.lobby.chess960 : "",
    control.kind === "unlimited" ? "" : text.lobby.speeds[speedOf(control)],
    showControl(text, control),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** The rules of a game by name; nothing for the usual ones. */
export function showRules(text: Catalogue, profile: WireProfile): string {
  return profile === "fide_online" ? "" : text.profiles[profile].name;
}

/** What rules mean. The computer is given no time, and gives none. */
export function aboutRules(
  { profiles }: Catalogue,
  profile: WireProfile,
  hasClock: boolean,
  isComputer = false,
): string {
  const { about, timed } = profiles[profile];
  return hasClock && timed && !(isComputer && profile === "casual") ? `${about} ${timed}` : about;
}

/** Everything except what `formatOf` says. `rules`: whether the rules are named, and not said elsewhere. */
export function detailsOf(text: Catalogue, terms: Terms, viewer: Viewer, rules = true): string {
  const { rematch_of } = terms;
  return [
    rematch_of === undefined ? "" : text.lobby.rematch,
    ratingsOf(text, terms),
    colorOf(text, terms, viewer),
    peculiarities(text, terms, rules),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** What few games have. */
function peculiarities(text: Catalogue, { options, fen }: Terms, rules = true): string {
  const { lobby } = text;
  return [
    rules ? showRules(text, options.profile) : "",
    fen === undefined ? "" : lobby.position,
    options.no_draw_offer_before_move > 0 ? lobby.noDraws(options.no_draw_offer_before_move) : "",
    options.ilc === "off" ? "" : lobby.ilc,
  ]
    .filter(Boolean)
    .join(" · ");
}

/** What an opponent has to know, in short: `5+3 · Casual`. A random colour, as in a pool, is not worth a word. */
export function briefOf(text: Catalogue, terms: Terms): string {
  return [
    showControl(text, terms.time_control),
    showRated(text, terms.rated),
    terms.variant === "chess960" ? text.lobby.chess960 : "",
    terms.color === null ? "" : colorOf(text, terms, "joiner"),
    peculiarities(text, terms),
  ]
    .filter(Boolean)
    .join(" · ");
}

export function termsOf(text: Catalogue, terms: Terms, viewer: Viewer): string {
  return `${formatOf(text, terms)} · ${detailsOf(text, terms, viewer)}`;
}
