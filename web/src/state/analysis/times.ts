/** The times of a game, ply by ply, and as points of a chart. Pure. */
import { type Game, firstClock, turnOf } from "zeitnot-client";
import { type Color, other } from "../../chess/square";

/** The moves of a game with its clocks: of one that was played here, or of a PGN. */
export type GameMoves = Pick<Game, "startFen" | "plies" | "plyCount" | "control" | "clocks">;

export interface PlyTime {
  readonly ply: number;
  readonly san: string;
  readonly color: Color;
  /** What the move took, and what its side's clock showed after it, in ms. */
  readonly took: number | null;
  readonly clock: number | null;
}

/** Who made the move of a ply. */
export function sideOf({ startFen }: Pick<GameMoves, "startFen">, ply: number): Color {
  const first = turnOf(startFen);
  return ply % 2 === 1 ? first : other(first);
}

/** The moves in UCI that lead to the position after so many plies. */
export function played({ plies }: Pick<GameMoves, "plies">, ply: number): readonly string[] {
  return plies.slice(0, ply).map(({ uci }) => uci);
}

export function timesOf(game: GameMoves): readonly PlyTime[] {
  return game.plies.map(({ ply, san, took, white_ms, black_ms }) => {
    const color = sideOf(game, ply);
    return { ply, san, color, took, clock: color === "white" ? white_ms : black_ms };
  });
}

/** What the moves took, as far as it is known, by the moves in UCI that lead there. */
export function tookByPlace(game: GameMoves): ReadonlyMap<string, number> {
  const took = new Map<string, number>();
  let place = "";
  for (const ply of game.plies) {
    place += (place && " ") + ply.uci;
    if (ply.took !== null) took.set(place, ply.took);
  }
  return took;
}

/** A side's clock after so many plies; after the last one as the game ended, with the time from that move to the end. */
export function clockAt(game: GameMoves, color: Color, ply: number): number | null {
  if (ply === game.plyCount && game.clocks) return game.clocks[color];
  const at = game.plies[ply - 1];
  if (!at) return firstClock(game.control, color);
  return color === "white" ? at.white_ms : at.black_ms;
}

/** Half the height of the chart: White's bars go up from the middle, Black's down. */
export const HALF = 30;

/** How long a bar is, 0 to `HALF`: by the square root, so that quick moves can be told apart beside a long think. */
export function barOf(took: number, longest: number): number {
  return longest > 0 ? Math.sqrt(took / longest) * HALF : 0;
}

/** Lines that fall by less than this part of their height are flat, and tell nothing. */
const FALL_LEAST = 0.25;

/** Whether the clocks of a game changed so much that lines of them tell something. */
export function haveClocksFallen(game: GameMoves, times: readonly PlyTime[]): boolean {
  const first = (["white", "black"] as const).map((color) => firstClock(game.control, color));
  const clocks = [...first, ...times.map(({ clock }) => clock)].filter((clock) => clock !== null);
  const most = Math.max(0, ...clocks);
  return most > 0 && most - Math.min(...clocks) >= FALL_LEAST * most;
}

/** A side's clock over the game as a path: from the middle away, in the direction of its bars. */
export function clockPath(game: GameMoves, times: readonly PlyTime[], color: Color): string {
  const begin = firstClock(game.control, color);
  const clocks = times.flatMap(({ ply, color: side, clock }) =>
    side === color && clock !== null ? [[ply, clock] as const] : [],
  );
  const most = Math.max(begin ?? 0, ...clocks.map(([, clock]) => clock));
  if (begin === null || most === 0 || clocks.length === 0) return "";
  const y = (clock: number): string => (HALF + (clock / most) * HALF * (color === "white" ? -1 : 1)).toFixed(1);
  return `M0 ${y(begin)}${clocks.map(([ply, clock]) => `L${ply - 0.5} ${y(clock)}`).join("")}`;
}
