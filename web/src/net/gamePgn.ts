/** The PGN of a game, as the server writes it. */
import type { GameId } from "#protocol";

/** Where it is. */
export function pgnPath(game: GameId): string {
  return `/api/games/${game}/pgn`;
}

/** Throws if the server does not answer. */
export async function askPgn(game: GameId): Promise<string> {
  const response = await fetch(pgnPath(game));
  if (!response.ok) throw new Error(String(response.status));
  return response.text();
}
