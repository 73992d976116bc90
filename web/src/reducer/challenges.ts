/**
 * Challenges: opens the page of a new one of one's own, announces an incoming one, reports a declined one, and reads
 * the terms of one that only a link names.
 *
 * Pure. Waiting for the game that a challenge becomes is in `reducer/pairing`.
 */
import type { Challenge, ChallengeId, ServerMessage } from "#protocol";
import type { Pending } from "zeitnot-client";
import type { App } from "../state/app";
import { withOwnChallenge } from "../state/pairing";
import { withPlayerName, withoutDecline } from "../state/people";
import { showControl } from "../text/words";
import { type Change, announce, change, inOrder, notify, textOf } from "./effects";
import { navigate } from "./navigation";

/** A message has made `app` of `before`. */
export function challengesReceived(before: App, app: App, message: ServerMessage, answers: Pending | null): Change {
  switch (message.t) {
    case "challenge":
      return opened(app, message.d, answers);
    case "challenge_gone":
      return change(app.people.declined === before.people.declined ? app : declined(app));
    case "rejected": {
      const { code, id, game } = message.d;
      return id === "watch" && game !== undefined && code === "unknown_game" ? readTerms(app, game) : change(app);
    }
    default:
      return change(app);
  }
}

function opened(app: App, challenge: Challenge, answers: Pending | null): Change {
  const { challenge: id, by } = challenge;
  const isNews = !(id in app.seenChallenges);
  return inOrder(
    { ...app, seenChallenges: { ...app.seenChallenges, [id]: true } },
    (seen) => (isNews && by.account !== seen.account && !answers ? incoming(seen, challenge) : change(seen)),
    (seen) => (answers?.message.t === "create_challenge" ? created(seen, challenge, answers.message.d) : change(seen)),
  );
}

/** The page of a challenge of one's own is where one waits; a seek is listed on the home page. */
function created(app: App, challenge: Challenge, terms: Parameters<typeof withOwnChallenge>[2]): Change {
  const { challenge: id, to, seek } = challenge;
  const people =
    to !== undefined && terms.to_name !== undefined ? withPlayerName(app.people, to, terms.to_name) : app.people;
  const next: App = { ...app, people, pairing: withOwnChallenge(app.pairing, id, terms) };
  return seek ? change(notify(next, "info", textOf(next).lobby.seekListed)) : navigate(next, { at: "game", id });
}

/** Somebody challenges this account. A rematch is also offered on the page of its game. */
function incoming(app: App, challenge: Challenge): Change {
  const { route, account } = app;
  if (challenge.to !== account || (route.at === "game" && challenge.rematch_of === route.id)) return change(app);
  const text = textOf(app);
  return announce(app, {
    say: text.lobby.challengedBy(challenge.by.name, showControl(text, challenge.time_control)),
    sound: "offer",
  });
}

/** The page of a finished game reports by itself what became of its rematch. */
function declined(app: App): App {
  const { people, route } = app;
  const [last] = people.declined;
  if (!last || (route.at === "game" && last.challenge.rematch_of === route.id)) return app;
  const { lobby } = textOf(app);
  return notify(
    app,
    "info",
    lobby.declinedBy(people.names[last.challenge.to ?? ""] ?? lobby.theOther, lobby.reasons[last.reason]),
  );
}

/**
 * An id without a game may be an invitation: its terms are shown before one joins. The rejection of `watch` may arrive
 * after the challenge has become a game; then there are no terms to read.
 */
function readTerms(app: App, challenge: ChallengeId): Change {
  const isKnown =
    challenge in app.games ||
    challenge in app.challenges ||
    challenge in app.invitations ||
    app.pairing.expected.includes(challenge);
  return isKnown ? change(app) : change(app, { do: "fetchInvitation", challenge });
}

/** The terms of an invitation; "unread" when the server could not be reached, null when there is no such challenge. */
export function termsRead(app: App, id: ChallengeId, terms: Challenge | "unread" | null): Change {
  if (terms !== null) return change({ ...app, invitations: { ...app.invitations, [id]: terms } });
  // It may have become a game between the two requests.
  return change(
    { ...app, gone: { ...app.gone, [id]: true } },
    { do: "request", message: { t: "watch", d: { game: id, id: "again" } } },
  );
}

/** A declined challenge has been read. */
export function dismissDecline(app: App, id: ChallengeId): App {
  return { ...app, people: withoutDecline(app.people, id) };
}
