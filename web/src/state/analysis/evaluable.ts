/**
 * What the server evaluates: a finished game of its own, or one that was brought along as a PGN and has a result.
 *
 * Pure. A game without a result is none of these, nor is a position: somebody may be playing it. Whether an account that plays
 * is answered is the server's decision.
 */
import type { GameId, OutcomeView } from "#protocol";
import type { Game } from "zeitnot-client";
import type { Pgn } from "../../chess/pgn";
import { type Analysis, isNoMoveLeft } from "./analysis";
import { type Noted, movesIn, notedIn } from "./noted";
import type { GameMoves } from "./times";

const RESULTS = ["1-0", "0-1", "1/2-1/2"] as const;

/** `key` is one text for each game: what is known of it is kept by that. */
export type Evaluable =
  | {
      readonly kind: "game";
      /** Its id. */
      readonly key: GameId;
    }
  | {
      readonly kind: "brought";
      readonly key: string;
      readonly start: string;
      readonly chess960: boolean;
      /** In UCI; at least one. */
      readonly moves: readonly string[];
      readonly result: (typeof RESULTS)[number];
    };

/** What an analysis is of. */
export interface Subject {
  /** The moves of a game, with its times as far as they are known; null beside a position, and of moves of which nothing is known. */
  readonly moves: GameMoves | null;
  /** What a PGN says of them, in the place of the server. */
  readonly noted: Noted | null;
  /** What the server evaluates; null where it does not, or a PGN brings its own evaluations. */
  readonly evaluable: Evaluable | null;
}

/** Of a game of the server, or of an analysis that was just loaded; `isAnew`: whatever evaluations a PGN brings. */
export function subjectOf(game: Game | null, begun: Analysis, isAnew = false): Subject {
  if (game) return { moves: game, noted: null, evaluable: { kind: "game", key: game.id } };
  const noted = isAnew ? null : notedIn(begun);
  const isEvaluated = noted !== null && Object.keys(noted.known).length > 0;
  const evaluable = isEvaluated ? null : broughtIn(begun);
  if (evaluable) return { moves: movesIn(begun), noted: null, evaluable };
  return { moves: noted?.moves ?? null, noted, evaluable };
}

/** The game of a PGN, if it is over. */
export function broughtIn({ start, chess960, headers, played }: Analysis): Evaluable | null {
  const result = RESULTS.find((one) => one === headers.Result);
  if (result === undefined || played === null || played.length === 0) return null;
  const key = `pgn-${hashOf([chess960, start, ...played].join(" "))}-${played.length}`;
  return { kind: "brought", key, start, chess960, moves: played, result };
}

/** A PGN with its result: without one, a checkmate or stalemate at the end of its moves says it. */
export function withResult(pgn: Pgn, outcome: OutcomeView | null): Pgn {
  const { Result = "*" } = pgn.headers;
  if (Result !== "*" || outcome === null || !isNoMoveLeft(outcome)) return pgn;
  return { ...pgn, headers: { ...pgn.headers, Result: outcome.score } };
}

/** FNV-1a, of 32 bits: among the few games that are kept no two are taken for one. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
