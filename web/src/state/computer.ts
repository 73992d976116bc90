/**
 * The server's own opponent: which of its levels are here, and the challenge to one of them.
 *
 * Pure. Its accounts have reserved names, so that a name alone says who is challenged.
 */
import type { CreateChallenge, PlayerView } from "#protocol";
import type { Game } from "zeitnot-client";
import { START_FEN } from "../chess/position";
import type { Color } from "../chess/square";
import type { Fate } from "./played";
import { type PlayerStatus, presencePath } from "./presence";
import {
  FIRST_SETUP,
  KINDS,
  type Kind,
  type Setup,
  challengeOf,
  isPreset,
  setupOfChallenge,
  withPreset,
} from "./setup";

/** Minutes and seconds of increment; null is without a clock. */
export type Control = readonly [number, number] | null;

export const LEVELS: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8];

/** About what rating each level plays like, weakest first: an estimate. bot/README.md says how it was measured. */
const RATINGS: readonly number[] = [750, 900, 1100, 1350, 1500, 1650, 1850, 1950];

/** The time controls that take one tap in the dialog. */
export const CONTROLS: readonly Control[] = [null, [3, 2], [5, 3], [10, 5], [15, 10], [30, 0]];

/** What the dialog begins with: what was chosen last. Of an odd clock White's first period is kept. */
export interface ComputerChoice {
  readonly level: number;
  readonly color: Color | null;
  readonly kind: Kind;
  /** As typed. */
  readonly minutes: string;
  readonly seconds: string;
  readonly days: string;
}

/** For whoever has never played it: weak, and without a clock. The numbers are those of a clock that is chosen then. */
export const FIRST_COMPUTER: ComputerChoice = {
  level: 2,
  color: null,
  kind: "unlimited",
  minutes: "10",
  seconds: "5",
  days: "3",
};

/** The most letters of a number as typed. */
const TYPED_MAX = 8;

export function isComputerChoice(value: unknown): value is ComputerChoice {
  if (typeof value !== "object" || value === null) return false;
  const { level, color, kind, minutes, seconds, days } = value as Record<string, unknown>;
  return (
    LEVELS.some((one) => one === level) &&
    [null, "white", "black"].some((one) => one === color) &&
    KINDS.some((one) => one === kind) &&
    [minutes, seconds, days].every((one) => typeof one === "string" && one.length <= TYPED_MAX)
  );
}

export function nameOfLevel(level: number): string {
  return `Computer-${level}`;
}

/** About what rating a level plays like. */
export function ratingOf(level: number): number {
  return RATINGS[level - 1] ?? 0;
}

/** The level of an account of the server's own opponent; null for anybody else. Nobody else can have such a name. */
export function levelOf({ name, bot }: Pick<PlayerView, "name" | "bot">): number | null {
  const level = bot === true ? /^Computer-([1-8])$/u.exec(name)?.[1] : undefined;
  return level === undefined ? null : Number(level);
}

export const PRESENCE_PATH = presencePath(LEVELS.map(nameOfLevel));

/** The levels that play now, weakest first; none when whoever runs the server has turned the computer off. */
export function levelsHere(statuses: readonly PlayerStatus[]): number[] {
  return LEVELS.filter((level) => statuses.some(({ name, online }) => online === true && name === nameOfLevel(level)));
}

/** The form for a choice. Casual: its games are not rated, and whoever tries something may take it back. */
export function formOf({ color, kind, minutes, seconds, days }: ComputerChoice): Setup {
  const periods = FIRST_SETUP.periods.map((period) => ({ ...period, minutes, seconds }));
  return { ...FIRST_SETUP, profile: "casual", kind, periods, black: periods, days, color };
}

/** What to keep of a form. */
export function choiceOf(level: number, { color, kind, periods, days }: Setup): ComputerChoice {
  const { minutes, seconds } = periods[0] ?? FIRST_COMPUTER;
  return { level, color, kind, minutes, seconds, days };
}

export function withControl(setup: Setup, control: Control): Setup {
  return control ? withPreset(setup, ...control) : { ...setup, kind: "unlimited" };
}

export function isControl(setup: Setup, control: Control): boolean {
  return control ? isPreset(setup, ...control) : setup.kind === "unlimited";
}

export function challengeComputer(level: number, setup: Setup): CreateChallenge {
  return challengeOf({ ...setup, audience: "player", name: nameOfLevel(level) });
}

/** The server's own opponent, as one has just played it. */
export interface Computer {
  readonly level: number;
  /** The levels that play now; null until they are known. */
  readonly here: readonly number[] | null;
}

/**
 * The levels next to the one played: those that play now, and all until they are known. After a loss the easier one comes first,
 * after a win the harder one; where that one is missing there is none, as the other one alone is no offer.
 */
export function levelsBeside({ level, here }: Computer, fate: Fate): number[] {
  const beside = (here ?? LEVELS).filter((one) => Math.abs(one - level) === 1);
  const fitting = fate === "lost" ? level - 1 : fate === "won" ? level + 1 : null;
  if (fitting !== null && !beside.includes(fitting)) return [];
  return fate === "won" ? beside.reverse() : beside;
}

/** Another game on the terms of one that has ended, with the same colour: only the level is another. Chess960 is drawn anew. */
export function challengeAgain(game: Game, seat: Color, level: number): CreateChallenge {
  const { control, variant, options, startFen } = game;
  const fen = variant === "standard" && startFen !== START_FEN ? { fen: startFen } : {};
  return challengeComputer(level, setupOfChallenge({ color: seat, options, time_control: control, variant, ...fen }));
}
