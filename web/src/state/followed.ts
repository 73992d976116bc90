/**
 * The players whom one follows: their accounts are one of the settings, and the server says which of them are here.
 *
 * Pure. Nobody is told by whom they are followed, and nothing of it is at the server but the settings of an account.
 */
import type { AccountId, GameId } from "#protocol";

/** So many are kept with an account beside the other settings. */
export const FOLLOWED_MAX = 20;

/** One of them as `GET /api/users/status` shows it. */
export interface Followed {
  readonly name: string;
  readonly title?: string;
  readonly online?: boolean;
  readonly playingId?: GameId;
}

/** What is asked for; players whose account is gone are not in the answer. */
export function followedPath(accounts: readonly AccountId[]): string {
  return `/api/users/status?withGameIds=true&ids=${accounts.join(",")}`;
}

/** Whoever plays first, then whoever is here, each in the order in which they were followed. */
export function inOrder(followed: readonly Followed[]): readonly Followed[] {
  const rank = ({ online, playingId }: Followed): number => (playingId !== undefined ? 0 : online ? 1 : 2);
  return [...followed].sort((a, b) => rank(a) - rank(b));
}
