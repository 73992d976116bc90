/**
 * The server's own opponent: which of its levels are here, and the challenge to one of them.
 *
 * Pure. Its accounts have reserved names, so that a name alone says who is challenged.
 */
import type { CreateChallenge, PlayerView } from "#protocol";
import type { Color } from "../chess/square";
import { type Presence, presencePath } from "./presence";
import { FIRST_SETUP, type Setup, challengeOf, withPreset } from "./setup";

/** Minutes and seconds of increment; null is without a clock. */
export type Control = readonly [number, number] | null;

export const LEVELS: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8];

/** About what rating each level plays like, weakest first: an estimate. bot/README.md says how it was measured. */
const RATINGS: readonly number[] = [600, 850, 1100, 1350, 1500, 1650, 1850, 1950];

/** The time controls of the dialog; others by challenging the account. */
export const CONTROLS: readonly Control[] = [null, [3, 2], [5, 3], [10, 5], [15, 10], [30, 0]];

export interface ComputerSetup {
  readonly level: number;
  readonly color: Color | null;
  readonly control: Control;
}

export const FIRST_COMPUTER: ComputerSetup = { level: 3, color: null, control: [10, 5] };

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
export function levelsHere(statuses: readonly Presence[]): number[] {
  return LEVELS.filter((level) => statuses.some(({ name, online }) => online === true && name === nameOfLevel(level)));
}

export function challengeComputer({ level, color, control }: ComputerSetup): CreateChallenge {
  const clock: Setup = control ? withPreset(FIRST_SETUP, ...control) : { ...FIRST_SETUP, kind: "unlimited" };
  // Casual: its games are not rated, and whoever tries something may take it back.
  const setup: Setup = { ...clock, profile: "casual" };
  return challengeOf({ ...setup, audience: "player", name: nameOfLevel(level), color });
}
