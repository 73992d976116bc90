/**
 * What a person has chosen for this page: one record, with a default for each field.
 *
 * What is stored is not trusted: a field that is missing or not one of today's choices takes its default. Knows nothing
 * of accounts and draws nothing; a change goes through the reducer (`store.change`).
 */
import type { AccountId, PoolId } from "#protocol";
import { LANGUAGES, type Language, chooseLanguage } from "../text";
import { type ComputerChoice, FIRST_COMPUTER, isComputerChoice } from "./computer";
import { FOLLOWED_MAX } from "./followed";
import { FIRST_POOL, POOLS } from "./lobby";
import { AUDIENCES, type Audience } from "./setup";
import { keepStored, readStored } from "./stored";

export const BOARD_COLORS = [
  "wood",
  "green",
  "blue",
  "grey",
  "purple",
  "rose",
  "sand",
  "sky",
  "turquoise",
  "contrast",
  "walnut",
  "maple",
  "marble",
  "emerald",
] as const;
export const PIECE_SETS = [
  "staunton",
  "classic",
  "celtic",
  "fantasy",
  "kosal",
  "modern",
  "geometric",
  "round",
  "simple",
] as const;
export const PREMOVES = ["none", "one", "several"] as const;
export const THEMES = ["system", "light", "dark"] as const;
export const FULL_VOLUME = 100;

export type BoardColors = (typeof BOARD_COLORS)[number];
export type PieceSet = (typeof PIECE_SETS)[number];
export type Premoves = (typeof PREMOVES)[number];
export type Theme = (typeof THEMES)[number];

export interface Settings {
  readonly boardColors: BoardColors;
  readonly pieces: PieceSet;
  readonly coordinates: boolean;
  /** Where the selected piece may go is marked, and said of each square. */
  readonly legalMoves: boolean;
  /** Pieces glide to their squares, unless the system asks for less motion. */
  readonly animation: boolean;
  /** A move is shown first and sent after a second look. */
  readonly moveConfirmation: boolean;
  readonly autoQueen: boolean;
  /** How many moves may wait for the opponent's reply. */
  readonly premoves: Premoves;
  readonly largeClocks: boolean;
  /** Only board, clocks and what is needed to play are shown. */
  readonly zen: boolean;
  readonly sound: boolean;
  /** 0 to `FULL_VOLUME`. */
  readonly volume: number;
  /** A phone vibrates when it is one's move. */
  readonly vibration: boolean;
  readonly theme: Theme;
  readonly language: Language;
  readonly hideChat: boolean;
  /** The pool that was joined last. */
  readonly pool: PoolId;
  /** Whether a game on one's own terms is to be rated, as it was chosen last for each kind of opponent. */
  readonly rated: Readonly<Partial<Record<Audience, boolean>>>;
  /** How the computer was played last. */
  readonly computer: ComputerChoice;
  /** The accounts whose chat messages are hidden, the one that was muted last first. */
  readonly muted: readonly AccountId[];
  /** The accounts that are followed, the last one first. */
  readonly followed: readonly AccountId[];
}

/** So many are kept with an account beside the other settings; who should stay silent for good is blocked. */
export const MUTED_MAX = 20;

/** A list of accounts after one has come to it, or has gone; beyond `most` the one that came first goes. */
export function withAccount(
  accounts: readonly AccountId[],
  account: AccountId,
  isIn: boolean,
  most: number,
): readonly AccountId[] {
  const others = accounts.filter((one) => one !== account);
  return isIn ? [account, ...others].slice(0, most) : others;
}

export const DEFAULT_SETTINGS: Settings = {
  boardColors: "wood",
  pieces: "staunton",
  coordinates: true,
  legalMoves: true,
  animation: true,
  moveConfirmation: false,
  autoQueen: false,
  premoves: "one",
  largeClocks: false,
  zen: false,
  sound: true,
  volume: 70,
  vibration: true,
  theme: "system",
  language: "en",
  hideChat: false,
  pool: FIRST_POOL,
  rated: {},
  computer: FIRST_COMPUTER,
  muted: [],
  followed: [],
};

/** The fields that are lists of accounts, and how many each may have. */
const ACCOUNTS: Partial<Record<keyof Settings, number>> = { muted: MUTED_MAX, followed: FOLLOWED_MAX };

/** The fields that are one of several words. Every other field is a switch, but for those that `isValid` names. */
const CHOICES: Partial<Record<keyof Settings, readonly string[]>> = {
  boardColors: BOARD_COLORS,
  pieces: PIECE_SETS,
  premoves: PREMOVES,
  theme: THEMES,
  language: LANGUAGES,
  pool: POOLS,
};

function isValid(field: keyof Settings, value: unknown): boolean {
  if (field === "volume") return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= FULL_VOLUME;
  if (field === "rated") return isRated(value);
  if (field === "computer") return isComputerChoice(value);
  const most = ACCOUNTS[field];
  if (most !== undefined)
    return Array.isArray(value) && value.length <= most && value.every((one) => typeof one === "string");
  const choices = CHOICES[field];
  return choices ? choices.some((choice) => choice === value) : typeof value === "boolean";
}

function isRated(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).every(
    ([audience, rated]) => AUDIENCES.some((one) => one === audience) && typeof rated === "boolean",
  );
}

/** The settings of what was stored. `preferred`: the browser's languages, of which one is taken if none was chosen. */
export function readSettings(stored: unknown, preferred: readonly string[]): Settings {
  const found: object = typeof stored === "object" && stored !== null ? stored : {};
  const fields = Object.keys(DEFAULT_SETTINGS) as (keyof Settings)[];
  const valid = Object.entries(found).filter(
    ([key, value]) => fields.some((field) => field === key) && isValid(key as keyof Settings, value),
  );
  return { ...DEFAULT_SETTINGS, language: chooseLanguage(preferred), ...Object.fromEntries(valid) };
}

const KEY = "zeitnot.settings";

/** What this browser has stored; null if it keeps nothing, or nothing readable. */
export function loadStored(storage: Pick<Storage, "getItem">): unknown {
  return readStored(storage, KEY);
}

/** Without storage the settings hold until the page is closed. */
export function saveStored(storage: Pick<Storage, "setItem">, stored: object): void {
  keepStored(storage, KEY, stored);
}

/** The settings of this browser, or the defaults. */
export function loadSettings(storage: Pick<Storage, "getItem">, preferred: readonly string[]): Settings {
  return readSettings(loadStored(storage), preferred);
}
