/**
 * The form for a new game, and the `create_challenge` it makes.
 *
 * Pure. Fields are kept within the server's ranges where that is simple; the server rejects the rest.
 */
import type {
  AccountId,
  Challenge,
  CreateChallenge,
  GameOptions,
  Period,
  PoolId,
  TimeControl,
  WireProfile,
  WireVariant,
} from "#protocol";
import type { Color } from "../chess/square";
import { controlOfPool } from "./lobby";

export const KINDS = ["fischer", "delay", "bronstein", "none", "days", "unlimited"] as const;
export type Kind = (typeof KINDS)[number];
export type Bonus = Exclude<Kind, "days" | "unlimited">;

/** One period as typed: a number stays text until it is sent. */
export interface PeriodField {
  readonly moves: string;
  readonly minutes: string;
  readonly seconds: string;
}

/** The opponent: anybody in the lobby, one player, or anybody with the link. */
export const AUDIENCES = ["lobby", "player", "link"] as const;
export type Audience = (typeof AUDIENCES)[number];

export interface Setup {
  readonly audience: Audience;
  /** The name of the player, as typed. */
  readonly name: string;
  /** The player's account, if one was chosen of those suggested. */
  readonly who: AccountId | null;
  readonly kind: Kind;
  /** White's periods, or both sides' unless `unequal` is set; never empty. */
  readonly periods: readonly PeriodField[];
  readonly unequal: boolean;
  readonly black: readonly PeriodField[];
  readonly days: string;
  readonly color: Color | null;
  readonly profile: WireProfile;
  /** Whether draws by insufficient losing chances can be requested; only over the board. */
  readonly ilc: boolean;
  /** The move before which draw offers are not allowed; empty for none. Only in FIDE over the board. */
  readonly noDrawBefore: string;
  readonly chess960: boolean;
  readonly fen: string;
  /** Whether it is to be rated, where it can be. */
  readonly rated: boolean;
  /** The ratings for which a game in the lobby is, as typed; empty for any. */
  readonly ratingLeast: string;
  readonly ratingMost: string;
}

export const PERIODS_MAX = 8;
const ONE: PeriodField = { moves: "40", minutes: "5", seconds: "3" };

export const FIRST_SETUP: Setup = {
  audience: "link",
  name: "",
  who: null,
  kind: "fischer",
  periods: [ONE],
  unequal: false,
  black: [ONE],
  days: "3",
  color: null,
  profile: "fide_online",
  ilc: false,
  noDrawBefore: "",
  chess960: false,
  fen: "",
  rated: false,
  ratingLeast: "",
  ratingMost: "",
};

/** The usual time controls, in minutes and seconds of increment. */
export const PRESETS: readonly (readonly [number, number])[] = [
  [1, 0],
  [2, 1],
  [3, 0],
  [3, 2],
  [5, 0],
  [5, 3],
  [10, 0],
  [10, 5],
  [15, 10],
  [30, 0],
  [30, 20],
];

export function withPreset(setup: Setup, minutes: number, seconds: number): Setup {
  const period = { ...ONE, minutes: String(minutes), seconds: String(seconds) };
  return { ...setup, kind: seconds ? "fischer" : "none", periods: [period], black: [period], unequal: false };
}

export function isPreset(setup: Setup, minutes: number, seconds: number): boolean {
  const [period] = setup.periods;
  if (setup.unequal || setup.periods.length !== 1 || !period || Number(period.minutes) !== minutes) return false;
  return seconds ? setup.kind === "fischer" && Number(period.seconds) === seconds : setup.kind === "none";
}

/** What the form knows of the terms of a game. */
export interface Terms {
  readonly time_control: TimeControl;
  readonly rated?: boolean;
  readonly variant: WireVariant;
}

/** The form for a game of the same terms. */
export function setupOf({ time_control: control, rated = false, variant }: Terms): Setup {
  const setup: Setup = { ...FIRST_SETUP, rated, chess960: variant === "chess960" };
  if (control.kind === "unlimited") return { ...setup, kind: "unlimited" };
  if (control.kind === "days") return { ...setup, kind: "days", days: String(control.days) };
  const { periods, black_periods: black } = control;
  const [first] = periods;
  const kind: Bonus = first?.increment_ms
    ? "fischer"
    : first?.delay_ms
      ? "delay"
      : first?.bronstein_ms
        ? "bronstein"
        : "none";
  return {
    ...setup,
    kind,
    periods: periods.map(fieldOf),
    unequal: black !== undefined,
    black: (black ?? periods).map(fieldOf),
  };
}

type ChallengeTerms = Pick<Challenge, "color" | "options" | "time_control" | "variant"> &
  Partial<Pick<Challenge, "fen" | "rated">>;

/** The form for the same challenge to a player; `color`: the owner's. */
export function setupOfChallenge({ color, fen = "", options, ...terms }: ChallengeTerms): Setup {
  const first = options.no_draw_offer_before_move;
  return {
    ...setupOf(terms),
    audience: "player",
    color,
    fen,
    profile: options.profile,
    ilc: options.ilc !== "off",
    noDrawBefore: first > 0 ? String(first) : "",
  };
}

/** The form for a game with the clock of a pool. */
export function setupOfPool(pool: PoolId): Setup {
  return setupOf({ time_control: controlOfPool(pool), variant: "standard" });
}

function fieldOf({ moves, base_ms, increment_ms, delay_ms, bronstein_ms }: Period): PeriodField {
  return {
    moves: String(moves ?? ONE.moves),
    minutes: String(base_ms / 60_000),
    seconds: String((increment_ms ?? delay_ms ?? bronstein_ms ?? 0) / 1000),
  };
}

type Side = "periods" | "black";

export function setPeriod(setup: Setup, side: Side, index: number, change: Partial<PeriodField>): Setup {
  return { ...setup, [side]: setup[side].map((period, at) => (at === index ? { ...period, ...change } : period)) };
}

export function addPeriod(setup: Setup, side: Side): Setup {
  if (setup[side].length >= PERIODS_MAX) return setup;
  return { ...setup, [side]: [...setup[side], { ...ONE, minutes: "15" }] };
}

export function removePeriod(setup: Setup, side: Side, index: number): Setup {
  if (setup[side].length <= 1) return setup;
  return { ...setup, [side]: setup[side].filter((_, at) => at !== index) };
}

/** A typed number with a comma or a point, in thousandths of its unit, within a range. */
function milli(text: string, unit: number, least: number, most: number): number {
  const value = Number(text.replace(",", "."));
  return Math.min(most, Math.max(least, Math.round((Number.isFinite(value) ? value : 0) * unit)));
}

const HOUR_MS = 3_600_000;

function periodsOf(fields: readonly PeriodField[], kind: Bonus): Period[] {
  return fields.map((field, index) => {
    const bonus = milli(field.seconds, 1000, 0, HOUR_MS);
    const period: Period = { base_ms: milli(field.minutes, 60_000, index === 0 ? 1000 : 0, 24 * HOUR_MS) };
    if (index < fields.length - 1) period.moves = milli(field.moves, 1, 1, 200);
    if (kind === "fischer" && bonus) period.increment_ms = bonus;
    if (kind === "delay" && bonus) period.delay_ms = bonus;
    if (kind === "bronstein" && bonus) period.bronstein_ms = bonus;
    return period;
  });
}

/** Whether a game of two registered players can be rated. */
export function canBeRated({ kind, unequal, fen, profile }: Setup): boolean {
  return kind !== "unlimited" && !unequal && fen.trim() === "" && profile !== "casual";
}

/** The highest rating that a range can name. */
const RATING_MAX = 4_000;

/** Only a game in the lobby has a range; one that is typed in the wrong order is put right. */
function rangeOf({ audience, ratingLeast, ratingMost }: Setup): Pick<CreateChallenge, "rating_min" | "rating_max"> {
  if (audience !== "lobby") return {};
  const typed = (text: string): number[] => (text.trim() === "" ? [] : [milli(text, 1, 0, RATING_MAX)]);
  const [least] = typed(ratingLeast);
  const [most] = typed(ratingMost);
  const isSwapped = least !== undefined && most !== undefined && least > most;
  const [from, to] = isSwapped ? [most, least] : [least, most];
  return { ...(from === undefined ? {} : { rating_min: from }), ...(to === undefined ? {} : { rating_max: to }) };
}

/** Whether a clock runs only after each has moved, and the other rules of games on a screen hold. */
export function isOnline(profile: WireProfile): boolean {
  return profile === "fide_online" || profile === "casual";
}

/** Whether the game has clocks: in days, or without a limit, it has none. */
export function hasClock({ kind }: Pick<Setup, "kind">): boolean {
  return kind !== "days" && kind !== "unlimited";
}

export function hasIlc(profile: WireProfile): boolean {
  return profile === "fide_board" || profile === "us_chess";
}

export function controlOf(setup: Setup): TimeControl {
  const { kind } = setup;
  if (kind === "unlimited") return { kind };
  if (kind === "days") return { kind, days: milli(setup.days, 1, 1, 30) };
  const periods = periodsOf(setup.periods, kind);
  return setup.unequal
    ? { kind: "clock", periods, black_periods: periodsOf(setup.black, kind) }
    : { kind: "clock", periods };
}

/** The options that differ from the defaults. */
function optionsOf({ profile, ilc, noDrawBefore }: Setup): Partial<GameOptions> {
  const options: Partial<GameOptions> = {};
  if (profile !== "fide_online") options.profile = profile;
  if (ilc && hasIlc(profile)) options.ilc = profile === "us_chess" ? "us14h" : "fide_iii4";
  const first = milli(noDrawBefore, 1, 0, 200);
  if (first > 0 && profile === "fide_board") options.no_draw_offer_before_move = first;
  return options;
}

/** The command for a form; `to` is the player if the account is known. */
export function challengeOf(setup: Setup, to: AccountId | null = null): CreateChallenge {
  const challenge: CreateChallenge = { time_control: controlOf(setup) };
  if (setup.color) challenge.color = setup.color;
  if (setup.chess960) challenge.variant = "chess960";
  if (setup.fen.trim()) challenge.fen = setup.fen.trim();
  if (setup.rated && canBeRated(setup)) challenge.rated = true;
  const options = optionsOf(setup);
  if (Object.keys(options).length) challenge.options = options;
  const who = to ?? (setup.audience === "player" ? setup.who : null);
  if (who !== null) challenge.to = who;
  else if (setup.audience === "player") challenge.to_name = setup.name.trim();
  else if (setup.audience === "lobby") Object.assign(challenge, { seek: true }, rangeOf(setup));
  return challenge;
}

/** The game or challenge that a pasted link or code names, or null. */
export function idOf(text: string): string | null {
  return /(?:^|\/)([0-9A-Za-z]{12})\/?(?:[?#].*)?$/u.exec(text.trim())?.[1] ?? null;
}
