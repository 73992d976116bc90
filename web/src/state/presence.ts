/**
 * Who of some players is here: one request for all of them.
 *
 * Pure.
 */
import type { AccountId } from "#protocol";

/** A player as `GET /api/users/status` shows one. */
export interface PlayerStatus {
  readonly name: string;
  readonly online?: boolean;
}

/** What is asked for; players whose account is gone are not in the answer. */
export function presencePath(players: readonly AccountId[]): string {
  return `/api/users/status?ids=${players.join(",")}`;
}
