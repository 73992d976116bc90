/** A finished game that is shown move by move. Pure. */
import type { GameId, Origin, OutcomeView, Snapshot } from "#protocol";
import { START_FEN, play, readFen, writeFen } from "../chess/position";

export interface Replayed {
  /** Null: a game that was not played here. */
  readonly id: GameId | null;
  /** It was imported. */
  readonly isElsewhere?: boolean;
  /** The event and the year, as far as they are known. */
  readonly occasion?: string;
  readonly white: string;
  readonly black: string;
  readonly outcome: OutcomeView;
  /** Without it the standard position. */
  readonly start?: string;
  readonly moves: readonly { readonly uci: string; readonly san: string }[];
}

/** A finished game of this server; null if not all of it has come. */
export function replayedOf(game: Snapshot | null): Replayed | null {
  const outcome = game?.state.outcome;
  if (!game || !outcome || game.plies.length === 0 || game.plies.length < game.ply_count) return null;
  const { players, start_fen: start, plies: moves } = game;
  return {
    id: game.game,
    isElsewhere: game.origin !== undefined,
    occasion: occasionOf(game.origin),
    white: players.white.name,
    black: players.black.name,
    outcome,
    start,
    moves,
  };
}

/** "London, 1851". Many names of events have the year already. */
function occasionOf({ event = "", date = "" }: Origin = {}): string {
  const year = /^\d{4}/u.exec(date)?.[0] ?? "";
  return [event, event.includes(year) ? "" : year].filter(Boolean).join(", ");
}

/** The positions in FEN, from the first one to that after the last move. */
export function fensOf({ start = START_FEN, moves }: Replayed): readonly string[] {
  let position = readFen(start);
  const fens = [start];
  for (const { uci } of moves) {
    position = play(position, uci);
    fens.push(writeFen(position));
  }
  return fens;
}

/** `17. Rd8#`, `5… dxe5`: the move that made a position, in the notation of a language. */
export function moveLabel(ply: number, san: string): string {
  return `${Math.ceil(ply / 2)}${ply % 2 === 1 ? "." : "…"} ${san}`;
}
