/**
 * The tags of a finished game's own PGN: when and where it was played, with which ratings and clocks, and which opening it
 * had. The page does not know all of them.
 */
import type { GameId } from "#protocol";
import { type Pgn, readPgn } from "../chess/pgn";
import { askPgn } from "./gamePgn";

/** Throws if the server does not answer. */
export async function askTags(game: GameId): Promise<Pgn["headers"]> {
  const pgn = readPgn(await askPgn(game));
  return "error" in pgn ? {} : pgn.headers;
}
