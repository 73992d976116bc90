/**
 * What calls a player back: the number of things that wait for them, and the call that a message is worth.
 *
 * Pure. Whether a call is shown, and how, is the browser's (`device/`): on a page that is seen nobody needs one.
 */
import type { Challenge, ServerMessage } from "#protocol";
import { type Game, seatOf, turnOf } from "zeitnot-client";
import { other } from "../chess/square";
import type { Catalogue } from "../text";
import { termsOf } from "../text/terms";
import { showReason, showResult, showSan } from "../text/words";
import { type App, inputOf } from "./app";
import { ownGames, playsByClock } from "./ownGames";

/** A call for a game or a challenge; a later one with the same id takes its place. */
export interface Call {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** Own games in which it is one's move, and challenges from others. What is on the page `here` is left out. */
export function waitingFor({ challenges, games, account }: App, here: string | null = null): number {
  const incoming = Object.values(challenges).filter(
    (challenge) => challenge.by.account !== account && challenge.challenge !== here && challenge.rematch_of !== here,
  );
  const moves = Object.values(games).filter(
    (game) => game.turn !== null && game.id !== here && seatOf(game, account) !== null,
  );
  return incoming.length + moves.length;
}

/** The own game with clocks that one may go back to: first one in which it is one's move, then the latest. */
export function runningGame(app: App, here: string | null = null): Game | null {
  const running = ownGames(app).filter((game) => game.id !== here && game.control.kind === "clock");
  running.sort((a, b) => Number(b.turn !== null) - Number(a.turn !== null) || b.began - a.began);
  return running[0] ?? null;
}

/** Challenges from others that wait for an answer, the last one last. What is answered on the page that is shown is left out. */
export function incomingTo({ challenges, account, route }: App): readonly Challenge[] {
  const here = route.at === "game" ? route.id : null;
  return Object.values(challenges).filter(
    ({ by, challenge, rematch_of, accepted_by }) =>
      by.account !== account && !accepted_by && challenge !== here && (here === null || rematch_of !== here),
  );
}

/**
 * Those that the header shows, one at a time from the last one on: all that were not put away. While
 * one plays by the clock, none.
 */
export function called(app: App): readonly Challenge[] {
  return (playsByClock(app) ? [] : incomingTo(app)).filter(({ challenge }) => !app.putAway[challenge]);
}

/** Those that the home page lists: what comes there unasked would move what one is about to press. */
export function putAway(app: App): readonly Challenge[] {
  return incomingTo(app).filter(({ challenge }) => app.putAway[challenge]);
}

/** The call of a message that has turned `before` into `after`; null if it is worth none. */
export function callOf(text: Catalogue, message: ServerMessage, before: App, after: App): Call | null {
  if (message.t === "challenge") return challenged(text, message.d, before, after);
  const id = "game" in message.d ? message.d.game : undefined;
  const game = id === undefined ? undefined : after.games[id];
  const seat = game ? seatOf(game, after.account) : null;
  if (!game || seat === null) return null;
  const rival = game.players[other(seat)].name;
  const call = (title: string, words: string): Call => ({ id: game.id, title, text: words });
  switch (message.t) {
    case "snapshot": {
      const isNew = before.games[game.id] === undefined && game.phase === "playing" && game.plyCount === 0;
      return isNew ? call(text.calls.began(rival), text.announcements.began(text.sides[seat])) : null;
    }
    case "turn":
      return isNewTurn(before.games[game.id], game) && game.plyCount > 0 && !isAnswered(after, game)
        ? call(text.calls.yourMove(rival), lastMove(text, game))
        : null;
    case "draw_offered":
      return message.d.by === seat ? null : call(text.calls.drawOffered(rival), text.calls.answer);
    case "ended":
      return game.outcome
        ? call(showResult(text, game.outcome, seat), text.calls.over(rival, showReason(text, game.outcome, seat)))
        : null;
    default:
      return null;
  }
}

/** The server says again after a reconnect whose turn it is. */
function isNewTurn(before: Game | undefined, after: Game): boolean {
  return after.turn !== null && before?.turn?.on !== after.turn.on;
}

/** A premove has answered already. */
function isAnswered(app: App, game: Game): boolean {
  return inputOf(app, game.id).sent?.on === game.on;
}

function lastMove(text: Catalogue, game: Game): string {
  const last = game.plies[game.plies.length - 1];
  return last
    ? text.announcements.move(text.sides[other(turnOf(game.fen))], showSan(text, last.san))
    : text.game.yourTurn;
}

function challenged(
  text: Catalogue,
  challenge: Extract<ServerMessage, { t: "challenge" }>["d"],
  before: App,
  { account }: App,
): Call | null {
  if (challenge.to !== account || account === null || challenge.challenge in before.seenChallenges) return null;
  return {
    id: challenge.challenge,
    title: text.calls.challenged(challenge.by.name),
    text: termsOf(text, challenge, "joiner"),
  };
}
