/**
 * What the PGN of an analysis notes of the positions of its game: the clock and what the move took, the evaluation where
 * it is known, and the mistakes, as lichess.org writes them; and the computer's own move, `[%best Nf3]`, without which
 * what a side lost per move could not be counted again.
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

/** `times`: none of a game whose PGN notes them already. */
export function notesOf(
  game: GameMoves,
  known: Evaluations,
  mistakes: readonly Pick<MarkedMove, "ply" | "mark">[],
  times = timesOf(game),
): (path: Path) => PgnNote {
  const marks = new Map(mistakes.map(({ ply, mark }) => [ply, GLYPHS[mark]]));
  return (path) => {
    const place = placeOf({ path }, game);
    if (!place || place.moves.length > 0) return {};
    const { ply } = place;
    const { clock = null, took = null } = times[ply - 1] ?? {};
    const glyph = marks.get(ply);
    const comment = [
      known[ply] ? commandsOf(known[ply]) : "",
      clock === null ? "" : `[%clk ${timeOf(clock)}]`,
      // In whole tenths, as the page shows it.
      took === null ? "" : `[%emt ${timeOf(Math.round(took / 100) * 100)}]`,
    ].filter(Boolean);
    return { ...(glyph ? { glyph } : {}), ...(comment.length > 0 ? { comment: comment.join(" ") } : {}) };
  };
}

/** What is known of a position; nothing when it is checkmate already. */
function commandsOf(evaluation: Evaluation): string {
  const [worth, best] = [evalOf(evaluation), evaluation.line[0]?.san];
  return [worth && `[%eval ${worth}]`, worth && best ? `[%best ${best}]` : ""].filter(Boolean).join(" ");
}

/** In pawns for White, or in how many moves there is a checkmate: `0.35`, `#-3`; empty when it is checkmate already. */
function evalOf({ centipawns, mate }: Evaluation): string {
  if (mate !== null) return mate === 0 ? "" : `#${mate}`;
  return centipawns === null ? "" : (centipawns / 100).toFixed(2);
}

/** `0:05:02.8`, as the server writes it. */
const timeOf = (ms: number): string => `${secondsOf(ms)}.${Math.floor((Math.max(0, ms) % 1_000) / 100)}`;

function secondsOf(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1_000);
  const two = (n: number): string => String(n).padStart(2, "0");
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
