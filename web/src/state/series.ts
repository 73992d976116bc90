/**
 * The score of a game and the games before it of which each was the rematch of the one before.
 *
 * Pure. A game without a result, as an aborted one, is none of them, and after it nothing is said, as that might be taken for
 * its result. Each rematch has the score with which it began, so nothing but that and its own game is needed. It says nothing
 * rather than count too few: a score that is not known stays so for all rematches that follow.
 */
import type { AccountId, GameId } from "#protocol";
import { type Game, seatOf } from "zeitnot-client";
import { type Color, other } from "../chess/square";
import type { Rematches, Score } from "./rematch";

const NOTHING: Score = { games: 0, own: 0, theirs: 0 };

/** For the player `seat`, who changes colours from game to game; null without a game that counts, and after one that does not. */
export function seriesOf(rematches: Rematches, game: Game, seat: Color): Score | null {
  if (game.outcome?.score === "*") return null;
  const before = scoreBefore(rematches, game.id);
  const score = before ? withGame(before, game, seat) : null;
  return score?.games ? score : null;
}

/** Rematches that have begun get the score with which they did, as far as the games before them are known. */
export function withScores(
  rematches: Rematches,
  games: Readonly<Record<GameId, Game>>,
  account: AccountId | null,
): Rematches {
  let known = rematches;
  for (const [id, rematch] of Object.entries(rematches)) {
    const game = games[id];
    const seat = game ? seatOf(game, account) : null;
    if (rematch.state !== "begun" || rematch.score !== null || !game?.outcome || seat === null) continue;
    const before = scoreBefore(known, id);
    if (before !== null) known = { ...known, [id]: { ...rematch, score: withGame(before ?? NOTHING, game, seat) } };
  }
  return known;
}

/** Null if it is not known, undefined if the game is nobody's rematch. */
function scoreBefore(rematches: Rematches, id: GameId): Score | null | undefined {
  return Object.values(rematches).find(({ challenge, state }) => challenge === id && state === "begun")?.score;
}

function withGame(before: Score, { outcome }: Game, seat: Color): Score {
  if (!outcome || outcome.score === "*") return before;
  const points = pointsOf(outcome.score);
  const [own, theirs] = [before.own + points[seat], before.theirs + points[other(seat)]];
  return { games: before.games + 1, own, theirs };
}

function pointsOf(score: string): Record<Color, number> {
  const [white, black] = score.split("-").map((points) => (points === "1/2" ? 0.5 : points === "1" ? 1 : 0));
  return { white: white ?? 0, black: black ?? 0 };
}
