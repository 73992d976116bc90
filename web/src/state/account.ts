/**
 * What the server says about the own account over HTTP, and what it is asked for. Pure.
 *
 * The shapes are those of `/api/openapi.json`. Instants are seconds since 1970.
 */
import type { WireCategory } from "#protocol";
import type { AccountKind } from "./people";

export interface Owner {
  readonly account: string;
  readonly name: string;
  readonly kind: AccountKind;
}

export interface Profile extends Owner {
  readonly made: number;
  readonly password_set: number | null;
  readonly recovery_codes: number;
  readonly second_factor_set: number | null;
  readonly admin: boolean;
  readonly muted_until: number | null;
}

export interface Device {
  readonly id: string;
  readonly kind: "session" | "token";
  readonly label: string;
  readonly used: number;
  readonly here: boolean;
}

/** What a token may be made for. `read` every token has; `admin` is for the tools of admins. */
export const SCOPES = ["play", "challenge", "bot"] as const;
export type Scope = (typeof SCOPES)[number];

export interface ApiToken {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly used?: number;
  readonly expires?: number;
}

/** For how many days a token works; 0: until it is revoked. */
export const TOKEN_DAYS: readonly number[] = [7, 30, 90, 365, 0];

export const CHALLENGES_FROM = ["everybody", "accounts", "nobody"] as const;
export type ChallengesFrom = (typeof CHALLENGES_FROM)[number];

export interface ChallengeRules {
  readonly from: ChallengesFrom;
  readonly bots: boolean;
  readonly categories: readonly WireCategory[];
}

export const CATEGORIES: readonly WireCategory[] = [
  "bullet",
  "blitz",
  "rapid",
  "classical",
  "correspondence",
  "chess960",
];

export interface Blocked {
  readonly account: string;
  readonly name: string;
}

/** The server's `password_chars_min`. */
export const PASSWORD_CHARS_MIN = 10;
/** The server's `password_chars_max`. */
export const PASSWORD_CHARS_MAX = 128;

/** Why a password may not be set for a name; null if it may. The server says it too, without the reason. */
export function wrongPassword(
  text: string,
  name: string,
): "short_password" | "long_password" | "password_is_name" | null {
  const length = [...text.normalize("NFC")].length;
  if (length < PASSWORD_CHARS_MIN) return "short_password";
  if (length > PASSWORD_CHARS_MAX) return "long_password";
  return text.toLowerCase() === name.toLowerCase() ? "password_is_name" : null;
}
