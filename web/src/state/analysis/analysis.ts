/**
 * What the analysis board shows: a first position, a tree of moves from there, and the place in it.
 *
 * Pure. Legal moves, names and outcomes are the server's answers and are not kept here; pieces are moved by
 * `chess/position`, so that a step needs no answer.
 */
import type { OutcomeView } from "#protocol";
import type { Game } from "zeitnot-client";
import { type Pgn, type PgnNote, writePgn } from "../../chess/pgn";
import { type Position, START_FEN, play, readFen, writeFen } from "../../chess/position";
import { fileOf } from "../../chess/square";
import {
  type NewMove,
  type Path,
  type Tree,
  beginsWith,
  endOf,
  linesOf,
  nodesOn,
  noteWith,
  promoted,
  withLine,
  withMain,
  without,
} from "./tree";

export interface Analysis {
  /** In FEN. */
  readonly start: string;
  readonly chess960: boolean;
  /** Of the PGN that this came from, or will become. */
  readonly headers: Readonly<Record<string, string>>;
  /** What that PGN notes before its first move. */
  readonly comment?: string;
  readonly tree: Tree;
  readonly path: Path;
  /** The moves of the game that it came from, if that has a result: what follows them in the tree was not played. */
  readonly played: Path | null;
}

export const NEW_ANALYSIS: Analysis = {
  start: START_FEN,
  chess960: false,
  headers: {},
  tree: [],
  path: [],
  played: null,
};

/** A finished game, at one of its plies; null: at its end. */
export function analysisOf(game: Game, ply: number | null): Analysis {
  const moves = game.plies.map(({ uci, san }) => ({ uci, san }));
  const { white, black } = game.players;
  return {
    start: game.startFen,
    chess960: game.variant === "chess960",
    headers: { White: white.name, Black: black.name, Result: game.outcome?.score ?? "*" },
    tree: withLine([], moves),
    path: moves.slice(0, ply ?? moves.length).map(({ uci }) => uci),
    played: moves.map(({ uci }) => uci),
  };
}

/** Checkmate or stalemate. */
export function isNoMoveLeft({ reason }: OutcomeView): boolean {
  return reason === "checkmate" || reason === "stalemate";
}

/** The last ply of a game after which something can still be played. */
export function lastToPlay({ outcome, plyCount }: Pick<Game, "outcome" | "plyCount">): number {
  return outcome && isNoMoveLeft(outcome) ? Math.max(0, plyCount - 1) : plyCount;
}

/** With the tree that was made of its game before, if that still has the whole game. */
export function withKept(analysis: Analysis, tree: Tree | null): Analysis {
  const { played } = analysis;
  if (tree === null || played === null || nodesOn(tree, played).length < played.length) return analysis;
  return { ...analysis, tree };
}

export function analysisOfFen(fen: string): Analysis {
  return { ...NEW_ANALYSIS, start: fen, chess960: isChess960(fen) };
}

/** A PGN with the tree of its moves, at its first position. */
export function analysisOfPgn({ headers, comment, moves }: Pgn, tree: Tree): Analysis {
  const isOver = (headers.Result ?? "*") !== "*";
  // What was tried out after its end came as a variation of its last move.
  const played = isOver ? endOf(tree, []).slice(0, moves.length) : null;
  const noted = comment === undefined ? {} : { comment };
  return { start: startOf(headers), chess960: isPgnChess960(headers), headers, ...noted, tree, path: [], played };
}

export const startOf = (headers: Pgn["headers"]): string => headers.FEN ?? START_FEN;

export function isPgnChess960(headers: Pgn["headers"]): boolean {
  return /960|fischer/iu.test(headers.Variant ?? "") || isChess960(startOf(headers));
}

/** Whether a position has a right to castle that standard chess does not know: then castling is written as in Chess960. */
export function isChess960(fen: string): boolean {
  const { board, castling } = readFen(fen);
  return castling.some((rook) => {
    const isWhite = rook < 8;
    const king = board.findIndex((piece) => piece?.role === "k" && (piece.color === "white") === isWhite);
    return fileOf(king) !== 4 || (fileOf(rook) !== 0 && fileOf(rook) !== 7);
  });
}

/** Whether a text that was pasted looks like a FEN rather than a PGN. */
export function looksLikeFen(text: string): boolean {
  return /^\s*(?:[1-8kqrbnp]+\/){7}[1-8kqrbnp]+(?:\s|$)/iu.test(text);
}

/** A move on the board: a known one is followed, another one becomes a side line. */
export function withMove(analysis: Analysis, uci: string): Analysis {
  const path = [...analysis.path, uci];
  const line = path.map((one) => ({ uci: one }));
  return { ...analysis, path, tree: withLine(analysis.tree, line) };
}

/**
 * Adds a line of the server after a place, if that is still in the tree, and plays its first move, or as many as are wanted,
 * unless another place is on the board by now.
 */
export function withShown(analysis: Analysis, after: Path, moves: readonly NewMove[], plays = 1): Analysis {
  if (nodesOn(analysis.tree, after).length < after.length) return analysis;
  const line = [...after.map((uci) => ({ uci })), ...moves];
  const isHere = analysis.path.join() === after.join();
  return {
    ...analysis,
    tree: withLine(analysis.tree, line, true),
    path: isHere ? [...after, ...moves.slice(0, plays).map(({ uci }) => uci)] : analysis.path,
  };
}

/** The preferred line leads through this place. */
export function withPromotion(analysis: Analysis): Analysis {
  return { ...analysis, tree: promoted(analysis.tree, analysis.path) };
}

/** Takes the last move away, and what follows it. */
export function withoutMove(analysis: Analysis): Analysis {
  return { ...analysis, tree: without(analysis.tree, analysis.path), path: analysis.path.slice(0, -1) };
}

/** The positions on the way: the first one, and one after each move. */
export function positionsOn({ start, path }: Pick<Analysis, "start" | "path">): readonly Position[] {
  const positions = [readFen(start)];
  for (const uci of path) positions.push(play(positions[positions.length - 1] ?? readFen(start), uci));
  return positions;
}

/** Where the place is, seen from the game: after so many of its plies, and after moves that were not played. */
export interface Place {
  readonly ply: number;
  /** In UCI. */
  readonly moves: readonly string[];
}

/** As one text, which no other place has. */
export const keyOf = ({ ply, moves }: Place): string => [ply, ...moves].join(" ");

/** Null without a game. */
export function placeOf({ path }: Pick<Analysis, "path">, game: Pick<Game, "plies"> | null): Place | null {
  if (!game) return null;
  const left = path.findIndex((uci, index) => game.plies[index]?.uci !== uci);
  const ply = left < 0 ? path.length : left;
  return { ply, moves: path.slice(ply) };
}

/** The end of the line shown; seen from within a game, that of the game. */
export function lastOf({ tree, path, played }: Analysis): Path {
  const end = endOf(tree, path);
  const isWithin = played !== null && path.length < played.length && beginsWith(end, played);
  return isWithin ? played : end;
}

/**
 * All of it as PGN, with what there is to note of each place: of the first one it stands before the moves. Of a game with a
 * result the moves that were played are the main line, so that it has that result elsewhere too.
 */
export function pgnOf(analysis: Analysis, noteOf?: (path: Path) => PgnNote): string {
  const { start, chess960, headers, tree, played } = analysis;
  const { fullmove, turn } = readFen(start);
  const isUsual = start === START_FEN;
  const all = {
    ...headers,
    ...(chess960 ? { Variant: "Chess960" } : {}),
    ...(isUsual ? {} : { SetUp: "1", FEN: start }),
  };
  const end = played !== null && played.length > 0 ? played : null;
  const moves = linesOf(end === null ? tree : withMain(tree, end), noteOf, [], end);
  const { comment: before } = analysis;
  const { comment } = noteWith(before === undefined ? {} : { comment: before }, noteOf?.([]));
  const noted = comment === undefined ? {} : { comment };
  return writePgn({ headers: all, ...noted, moves }, { number: fullmove, isBlack: turn === "black" });
}

/** The FEN of the place, until the server has said it. */
export function fenOf(analysis: Analysis): string {
  return writeFen(positionsOn(analysis).at(-1) ?? readFen(analysis.start));
}
