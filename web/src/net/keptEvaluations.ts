/**
 * What the computer thinks of games, kept in this browser over a reload by the key of the game: of the games that were looked at
 * last, so many; and how far the analysis of the whole game has come that was asked for last, until it ends.
 *
 * What is stored is not trusted: what is no evaluation is left out. A storage that is full or forbidden keeps nothing.
 */
import type { Evaluation } from "#protocol";
import type { Evaluations } from "../state/analysis/mistakes";
import { keepStored, readList, readStored } from "../state/stored";

/** Games that are kept; each has a few hundred octets a ply. */
export const GAMES_KEPT = 12;
/** The longest text that is kept of a game, about a thousand plies. */
export const CHARS_MAX = 400_000;

/** The games, the one that was looked at last first. */
const INDEX = "zeitnot.evaluations";
const keyOf = (game: string): string => `${INDEX}.${game}`;
const UNFINISHED = "zeitnot.unfinished";

type Kept = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export function loadEvaluations(storage: Kept, game: string): Evaluations {
  const found = readList(storage, keyOf(game), isEvaluation).filter((one) => one.game === game);
  return Object.fromEntries(found.map((one) => [one.ply, one]));
}

/** Keeps all that is known of a game, and lets go of the game that nobody has looked at for the longest time. */
export function keepEvaluations(storage: Kept, game: string, known: Evaluations): void {
  const all = Object.values(known);
  if (JSON.stringify(all).length > CHARS_MAX) return;
  const games = [game, ...keptGames(storage).filter((one) => one !== game)];
  for (const old of games.splice(GAMES_KEPT)) remove(storage, old);
  while (!keepStored(storage, keyOf(game), all) || !keepStored(storage, INDEX, games)) {
    // Full: an older game makes room, if there is one.
    const oldest = games.length > 1 ? games.pop() : undefined;
    remove(storage, oldest ?? game);
    if (oldest === undefined) return;
  }
}

/** From which ply on the analysis of the whole game has all evaluations; null if it has ended, or was never asked for. */
export function loadUnfinished(storage: Kept, game: string): number | null {
  const kept = (readStored(storage, UNFINISHED) ?? {}) as { readonly game?: unknown; readonly ply?: unknown };
  return kept.game === game && typeof kept.ply === "number" ? kept.ply : null;
}

export function keepUnfinished(storage: Kept, game: string, ply: number): void {
  keepStored(storage, UNFINISHED, { game, ply });
}

export function endUnfinished(storage: Kept, game: string): void {
  if (loadUnfinished(storage, game) !== null) removeKey(storage, UNFINISHED);
}

function keptGames(storage: Kept): readonly string[] {
  return readList(storage, INDEX, (one): one is string => typeof one === "string");
}

const remove = (storage: Kept, game: string): void => removeKey(storage, keyOf(game));

function removeKey(storage: Kept, key: string): void {
  try {
    storage.removeItem(key);
  } catch {
    // A forbidden storage.
  }
}

function isEvaluation(value: unknown): value is Evaluation {
  const { ply, fen, centipawns, mate, depth, line } = (value ?? {}) as Partial<Evaluation>;
  const isScore = (one: unknown): boolean => one === null || typeof one === "number";
  const isMove = (one: unknown): boolean => {
    const { uci, san } = (one ?? {}) as { readonly uci?: unknown; readonly san?: unknown };
    return typeof uci === "string" && typeof san === "string";
  };
  return (
    Number.isInteger(ply) &&
    typeof fen === "string" &&
    isScore(centipawns) &&
    isScore(mate) &&
    typeof depth === "number" &&
    Array.isArray(line) &&
    line.every(isMove)
  );
}
