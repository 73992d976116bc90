/**
 * A FEN or a PGN that was pasted becomes an analysis, or a sentence that says which move is at fault, and why. A text without
 * tags that does not begin with a move is neither. A game that ends in checkmate or stalemate has its result by that.
 *
 * The server plays every line; how often it may be asked is its decision, and this waits for it.
 */
import { readTyped } from "../../chess/notation";
import { readPgn } from "../../chess/pgn";
import { moveNumber } from "../../chess/position";
import {
  type Analysis,
  analysisOfFen,
  analysisOfPgn,
  isPgnChess960,
  looksLikeFen,
  positionsOn,
  startOf,
} from "../../state/analysis/analysis";
import { withResult } from "../../state/analysis/evaluable";
import { type NamedLine, type NotPlayed, treeOf } from "../../state/analysis/tree";
import { type Line, askPosition, knownPosition } from "../../net/analysis";
import { type Answer, waitOf } from "../../net/ask";
import { type Catalogue, ENGLISH } from "../../text";
import { showBadFen } from "../../text/fen";
import type { PositionAnalysis } from "#protocol";

/** How often a line is asked for again when the server is busy. */
const TRIES = 4;

/** What can be a move, in SAN or UCI. */
const MOVE = /^(?:[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](?:=?[QRBN])?|O-O(?:-O)?|[a-h][1-8][a-h][1-8][qrbn]?)[+#]?$/u;

export async function loadText(pasted: string, text: Catalogue): Promise<Analysis | string> {
  const { exchange } = text.analysis;
  if (looksLikeFen(pasted)) {
    const analysis = analysisOfFen(pasted.trim().replace(/\s+/gu, " "));
    const answer = await patient({ start: analysis.start, chess960: analysis.chess960, moves: [] });
    if (answer.kind === "rejected") return showBadFen(text, answer);
    return answer.kind === "there" ? { ...analysis, start: answer.value.fen } : text.analysis.failed;
  }
  const pgn = readPgn(pasted);
  if ("error" in pgn)
    return pgn.error === "bracket" || pgn.error === "variation" ? exchange[pgn.error](pgn.at) : exchange[pgn.error];
  const start = startOf(pgn.headers);
  const chess960 = isPgnChess960(pgn.headers);
  let badFen: string | null = null;
  const name = async (moves: readonly string[]): Promise<NamedLine> => {
    const answer = await patient({ start, chess960, moves });
    if (answer.kind === "there") return answer.value.moves;
    if (answer.kind !== "rejected") return { failed: true };
    if (answer.code === "illegal_move" && answer.ply !== null) return { ply: answer.ply };
    if (answer.code === "bad_fen") badFen = showBadFen(text, answer);
    return { failed: true };
  };
  const tree = await treeOf(pgn, name);
  if (tree === "failed") return badFen ?? text.analysis.failed;
  if (!("before" in tree)) {
    const end = knownPosition({ start, chess960, moves: pgn.moves.map(({ san }) => san) });
    return analysisOfPgn(withResult(pgn, end?.outcome ?? null), tree);
  }
  const isNeither = Object.keys(pgn.headers).length === 0 && tree.before.length === 0 && !MOVE.test(tree.san);
  return isNeither ? exchange.neither : whyNot(text, start, chess960, tree);
}

/** Waits as long as the server says when it is busy. */
async function patient(line: Line): Promise<Answer<PositionAnalysis>> {
  let answer = await askPosition(line);
  for (let tries = 1; answer.kind === "later" && tries < TRIES; tries += 1) {
    const wait = waitOf(answer);
    await new Promise((done) => setTimeout(done, wait));
    answer = await askPosition(line);
  }
  return answer;
}

/** The move that cannot be played, with its number, and why: by the list of legal moves before it. */
async function whyNot(text: Catalogue, start: string, chess960: boolean, { before, san }: NotPlayed): Promise<string> {
  const { exchange } = text.analysis;
  const position = positionsOn({ start, path: before }).at(-1);
  const answer = await patient({ start, chess960, moves: before });
  const legal = answer.kind === "there" ? answer.value.legal : [];
  const number = position ? `${moveNumber(position)} ` : "";
  return exchange.notPlayed(number + san, exchange[reasonOf(san, legal, position)]);
}

function reasonOf(
  san: string,
  legal: readonly string[],
  position: Parameters<typeof readTyped>[2] | undefined,
): "ambiguous" | "illegal" | "noMove" {
  if (position && readTyped(san, legal, position, ENGLISH.letters).kind === "several") return "ambiguous";
  return MOVE.test(san) ? "illegal" : "noMove";
}
