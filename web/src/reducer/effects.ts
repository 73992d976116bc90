/**
 * What a step of the reducer asks the store to do, beside the new state. Effects are data: nothing here does anything.
 */
import type { AccountId, ChallengeId, ClientMessage, GameId } from "#protocol";
import type { Command, Pending } from "zeitnot-client";
import { type App, withNotice, withAnnouncement } from "../state/app";
import type { Sound } from "../state/announcements";
import type { Call } from "../state/calls";
import type { KeptChallenges } from "../state/invitations";
import type { Rematches } from "../state/rematch";
import type { Settings } from "../state/settings";
import type { Catalogue, Language } from "../text";

/**
 * `absence`: the opponent has been away long enough to say so. `settle`: after a reconnect, challenges and games have
 * been resent. `subscribe`: what the page shows could not be had and is requested again. `kept`: after connecting, own challenges
 * have been resent; of others that were open before one asks what has become.
 */
export type Timer = "absence" | "settle" | "subscribe" | "kept";

export type Effect =
  /** Sends a command until it is answered. */
  | { readonly do: "send"; readonly message: Command }
  /** Sends once, and only if there is a connection. */
  | { readonly do: "request"; readonly message: ClientMessage }
  /** Drops commands that have not been answered. */
  | { readonly do: "discard"; which(pending: Pending): boolean }
  /** Connects, unless there is a connection. */
  | { readonly do: "connect" }
  /** Puts an address into the browser's history, and scrolls to the top unless the same page only shows something else. */
  | { readonly do: "push"; readonly path: string; readonly isSamePage: boolean }
  | { readonly do: "play"; readonly sound: Sound }
  /** Calls the player back, unless the page is seen. */
  | { readonly do: "call"; readonly call: Call }
  | { readonly do: "vibrate" }
  | { readonly do: "keepSettings"; readonly settings: Settings }
  /** Asks what is kept for an account. */
  | { readonly do: "fetchSettings"; readonly account: AccountId; readonly isRegistered: boolean }
  /** For the next visit: own challenges whose end was not told yet. */
  | { readonly do: "keepChallenges"; readonly kept: KeptChallenges }
  /** For the next visit: which game followed which. */
  | { readonly do: "keepRematches"; readonly rematches: Rematches }
  | { readonly do: "loadTexts"; readonly language: Language }
  /** Starts a timer anew, or stops it with null. */
  | { readonly do: "timer"; readonly timer: Timer; readonly ms: number | null }
  | { readonly do: "fetchInvitation"; readonly challenge: ChallengeId }
  | { readonly do: "fetchName"; readonly account: AccountId }
  /** Asks what kind of account the own one is. */
  | { readonly do: "fetchKind" };

export interface Change {
  readonly app: App;
  readonly effects: readonly Effect[];
}

export function change(app: App, ...effects: Effect[]): Change {
  return { app, effects };
}

/** Takes one step after the other, each from the state that the one before has left. */
export function inOrder(app: App, ...steps: readonly ((app: App) => Change)[]): Change {
  return steps.reduce<Change>((sum, step) => {
    const next = step(sum.app);
    return { app: next.app, effects: [...sum.effects, ...next.effects] };
  }, change(app));
}

export function textOf(app: App): Catalogue {
  return app.text;
}

/** Shows a passing notice, and has it read out; one about a game goes when that changes. */
export function notify(app: App, kind: "info" | "error", text: string, about: GameId | null = null): App {
  return withAnnouncement(withNotice(app, kind, text, about), text);
}

/** Reads out a sentence, plays a sound, or both. */
export function announce(
  app: App,
  announcement: { readonly say: string | null; readonly sound: Sound | null },
): Change {
  const said = announcement.say ? withAnnouncement(app, announcement.say) : app;
  return announcement.sound ? change(said, { do: "play", sound: announcement.sound }) : change(said);
}

/** Whether a command of this kind has not been answered yet. */
export function isUnderWay(app: App, command: Command["t"]): boolean {
  return app.link.outbox.some((pending) => pending.message.t === command);
}
