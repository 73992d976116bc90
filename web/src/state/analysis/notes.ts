/**
 * What the PGN of an analysis notes of the moves of its game: the clock after each, the evaluation where it is known, and
 * the mistakes, as lichess.org writes them.
 *
 * Pure. Moves beside the game have no notes.
 */
import type { Evaluation } from "#protocol";
import type { PgnNote } from "../../chess/pgn";
import { placeOf } from "./analysis";
import type { Evaluations, Mark, MarkedMove } from "./mistakes";
import { type GameMoves, timesOf } from "./times";
import type { Path } from "./tree";

/** The glyphs of the PGN standard. */
const GLYPHS: Readonly<Record<Mark, string>> = { "?!": "$6", "?": "$2", "??": "$4" };
export const MARK_GLYPHS = Object.entries(GLYPHS) as [Mark, string][];

export function notesOf(
  game: GameMoves,
  known: Evaluations,
  mistakes: readonly Pick<MarkedMove, "ply" | "mark">[],
): (path: Path) => PgnNote {
  const times = timesOf(game);
  const marks = new Map(mistakes.map(({ ply, mark }) => [ply, GLYPHS[mark]]));
  return (path) => {
    const place = placeOf({ path }, game);
    if (!place || place.moves.length > 0) return {};
    const { ply } = place;
    const clock = times[ply - 1]?.clock ?? null;
    const [glyph, worth] = [marks.get(ply), known[ply] ? evalOf(known[ply]) : ""];
    const comment = [worth && `[%eval ${worth}]`, clock === null ? "" : `[%clk ${clockOf(clock)}]`].filter(Boolean);
    return { ...(glyph ? { glyph } : {}), ...(comment.length > 0 ? { comment: comment.join(" ") } : {}) };
  };
}

/** In pawns for White, or in how many moves there is a checkmate: `0.35`, `#-3`; empty when it is checkmate already. */
function evalOf({ centipawns, mate }: Evaluation): string {
  if (mate !== null) return mate === 0 ? "" : `#${mate}`;
  return centipawns === null ? "" : (centipawns / 100).toFixed(2);
}

/** `0:05:02.8`, as the server writes it. */
function clockOf(ms: number): string {
  const tenths = Math.floor(Math.max(0, ms) / 100);
  const two = (n: number): string => String(n).padStart(2, "0");
  const seconds = Math.floor(tenths / 10);
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}.${tenths % 10}`;
}
