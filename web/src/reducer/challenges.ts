/**
 * Challenges: opens the page of a new one of one's own, announces an incoming one, reports how one's own ended, and reads
 * the terms of one that only a link names.
 *
 * Pure. Waiting for the game that a challenge becomes is in `reducer/pairing`.
 */
import type { Challenge, ChallengeId, CreateChallenge, ServerMessage } from "#protocol";
import type { Pending } from "zeitnot-client";
import { type App, withAnnouncement } from "../state/app";
import { called } from "../state/calls";
import { endCodeOf, guessedEnd, withEnd, withKept } from "../state/invitations";
import { playsByClock } from "../state/ownGames";
import { rivalsOf, withOwnChallenge, withReplaced } from "../state/pairing";
import { withPlayerName } from "../state/people";
import type { Catalogue } from "../text";
import { formatOf } from "../text/terms";
import { showDeclined } from "../text/words";
import { type Change, announce, change, inOrder, notify, textOf } from "./effects";
import { navigate } from "./navigation";
import { hasBecomeGame, withdraw, withdrawRivals } from "./pairing";

/** A message has made `app` of `before`. */
export function challengesReceived(
  before: App,
  app: App,
  message: ServerMessage,
  answers: Pending | null,
  now: number,
): Change {
  switch (message.t) {
    case "challenge":
      return opened(withEndOf(app, message.d, now), message.d, answers, now);
    case "challenge_gone":
      return message.d.game === undefined ? ended(before, app, message.d.challenge) : change(app);
    case "rejected": {
      const { code, id, game } = message.d;
      return id === "watch" && game !== undefined && code === "unknown_game" ? readTerms(app, game) : change(app);
    }
    default:
      return change(app);
  }
}

function opened(app: App, challenge: Challenge, answers: Pending | null, now: number): Change {
  const { challenge: id, by } = challenge;
  const isNews = !(id in app.seenChallenges);
  return inOrder(
    { ...app, seenChallenges: { ...app.seenChallenges, [id]: true } },
    (seen) => (isNews && by.account !== seen.account && !answers ? incoming(seen, challenge) : change(seen)),
    (seen) =>
      answers?.message.t === "create_challenge"
        ? created(seen, challenge, answers.id, answers.message.d, now)
        : change(seen),
  );
}

/**
 * The page of a challenge of one's own is where one waits; for a seek one waits as in a pool. One whose place it takes is
 * withdrawn, and not before there is another one: what the server rejects would leave none. Where that one has become a game
 * meanwhile, the new one is withdrawn.
 */
function created(app: App, challenge: Challenge, request: string, terms: CreateChallenge, now: number): Change {
  const { challenge: id, to, seek } = challenge;
  const people =
    to !== undefined && terms.to_name !== undefined
      ? { ...withPlayerName(app.people, to, terms.to_name), unknown: null }
      : app.people;
  const pairing = withOwnChallenge(app.pairing, id, terms, now);
  const next: App = { ...app, people, pairing: withReplaced(pairing, id, pairing.replaces[request]) };
  if (rivalsOf(next.pairing, id).some((one) => hasBecomeGame(next, one))) return change(next, withdraw(id));
  return inOrder(
    next,
    (at) => (seek ? change(at) : navigate(at, { at: "game", id })),
    (at) => change(at, ...withdrawRivals(at, id)),
  );
}

const showChallenged = (text: Catalogue, challenge: Challenge): string =>
  text.lobby.challengedBy(challenge.by.name, formatOf(text, challenge));

/**
 * Somebody challenges this account. A rematch is also offered on the page of its game. Whoever plays
 * by the clock is told without a sound.
 */
function incoming(app: App, challenge: Challenge): Change {
  const { route, account } = app;
  if (challenge.to !== account || (route.at === "game" && challenge.rematch_of === route.id)) return change(app);
  return announce(app, {
    say: showChallenged(textOf(app), challenge),
    sound: playsByClock(app) ? null : "offer",
  });
}

/** What was a number while one played by the clock is shown when the game is over, and said after its result. */
export function saidAfterGame(before: App, app: App): Change {
  const challenge = playsByClock(before) ? called(app).at(-1) : undefined;
  if (!challenge) return change(app);
  const words = showChallenged(textOf(app), challenge);
  // The live region keeps one sentence.
  const result = app.announcement.n === before.announcement.n ? "" : app.announcement.text;
  return change(withAnnouncement(app, [result, words].filter(Boolean).join(". ")));
}

/** When it ends, and that its owner has to be told how. */
function withEndOf(app: App, challenge: Challenge, now: number): App {
  const { challenge: id, ends_in_ms } = challenge;
  const endsAt = ends_in_ms === undefined ? null : now + ends_in_ms;
  const kept = withKept(app.kept, challenge, app.account, endsAt);
  return { ...app, kept, endsAt: endsAt === null ? app.endsAt : { ...app.endsAt, [id]: endsAt } };
}

/**
 * A challenge has ended without a game. Whether it ran out or was withdrawn is asked for by those to whom it matters.
 * The page of a finished game reports by itself what became of its rematch.
 */
function ended(before: App, app: App, id: ChallengeId): Change {
  const known = before.challenges[id];
  const isOwn = known !== undefined && known.by.account === app.account;
  const isShown = app.route.at === "game" && app.route.id === id;
  const end = app.gone[id];
  const text = textOf(app);
  const isOnPage = app.route.at === "game" && app.route.id === known?.rematch_of;
  if (end?.code === "challenge_declined") {
    if (!known || isOnPage) return change(app);
    // Its words were read out when it came: they hold no more.
    if (!isOwn) return change(withAnnouncement(app, text.challenge.ended.own.challenge_declined));
    const name = app.people.names[known.to ?? ""] ?? text.lobby.theOther;
    const words = showDeclined(text, name, end.reason ?? "no");
    // Its own page says it in the heading, and the home page in its list.
    const isSeen = isShown || (app.route.at === "home" && id in app.kept);
    return change(isSeen ? withAnnouncement(app, words) : notify(app, "info", words));
  }
  const told = known?.to === app.account && !isOnPage ? withAnnouncement(app, text.challenge.closed) : app;
  const asks = (isOwn || isShown) && end?.code === null;
  return asks ? change(told, { do: "fetchInvitation", challenge: id }) : change(told);
}

/** Own challenges of an earlier visit that are open no more: what has become of them? */
export function askAboutKept(app: App): Change {
  const closed = Object.keys(app.kept).filter((id) => !(id in app.challenges) && app.gone[id]?.code == null);
  return change(app, ...closed.map((challenge) => ({ do: "fetchInvitation" as const, challenge })));
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

interface TermsRead {
  readonly challenge: ChallengeId;
  readonly terms: Challenge | "unread" | null;
  readonly code: string;
  readonly was?: Challenge | null;
  readonly now: number;
}

/**
 * The terms of an invitation; "unread" when the server could not be reached, null when no such challenge is open: `code`
 * says why, and `was` its terms.
 */
export function termsRead(app: App, { challenge: id, terms, code, was = null, now }: TermsRead): Change {
  // What is known is known better than that the server was out of reach this time.
  if (terms === "unread" && id in app.invitations) return change(app);
  if (terms !== null) {
    const ends = terms === "unread" ? undefined : terms.ends_in_ms;
    const endsAt = ends === undefined ? app.endsAt : { ...app.endsAt, [id]: now + ends };
    return change({ ...app, endsAt, invitations: { ...app.invitations, [id]: terms } });
  }
  const kept = app.kept[id];
  const { [id]: shown, ...invitations } = app.invitations;
  const known = shown === "unread" ? null : (shown ?? null);
  const end = {
    code: endCodeOf(code) ?? guessedEnd(kept?.endsAt ?? app.endsAt[id], now),
    terms: kept?.challenge ?? was ?? known,
  };
  const ended = { ...app, invitations, gone: withEnd(app.gone, id, end) };
  const isShown = app.route.at === "game" && app.route.id === id;
  // Whoever reads it is led to the game of others, and told why.
  const next =
    isShown && shown !== undefined && end.code === "challenge_taken"
      ? notify(ended, "info", textOf(ended).challenge.takenWatching)
      : ended;
  // It may have become a game between the two requests.
  return isShown
    ? change(next, { do: "request", message: { t: "watch", d: { game: id, id: "again" } } })
    : change(next);
}
