/**
 * The game that the home page shows large. It stays while it lasts. Once it has ended its last position and its result stay until
 * one leaves the page, or for a moment where there is another game to show.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type { LiveGame, OutcomeView, Snapshot } from "#protocol";
import { askJson, keepAsking } from "../../net/ask";
import { type Watchable, toWatch } from "../../state/lobby";
import { useApp } from "../context";

/** For so long the result stays where another game could be shown. */
const STAYS_MS = 10_000;

export interface Large extends Omit<Watchable, "featured"> {
  /** Null while there is none. */
  readonly game: LiveGame | null;
  readonly isOver: boolean;
  /** Null also until it is known. */
  readonly outcome: OutcomeView | null;
}

export function useLarge(): Large {
  const app = useApp();
  const kept = useRef<LiveGame | null>(null);
  const [end, set] = useState<Partial<Snapshot>>({});
  const { featured, ...rest } = toWatch(app, kept.current?.game);
  const isOver = kept.current !== null && kept.current.game !== featured?.game;
  if (!isOver) kept.current = featured;
  const game = kept.current;
  const ended = isOver && game ? game.game : null;
  useEffect(() => {
    if (ended === null) return;
    return keepAsking(
      0,
      () => askJson<Snapshot>(`/api/games/${ended}`),
      (answer) => answer.kind === "there" && set(answer.value),
    );
  }, [ended]);
  const hasNext = featured !== null;
  useEffect(() => {
    if (ended === null || !hasNext) return;
    const timer = setTimeout(() => {
      kept.current = null;
      set({});
    }, STAYS_MS);
    return () => clearTimeout(timer);
  }, [ended, hasNext]);
  if (!game || end.game !== ended) return { ...rest, game, isOver, outcome: null };
  const { fen = game.fen, plies, state } = end;
  const last = plies?.at(-1)?.uci;
  return { ...rest, game: { ...game, fen, ...(last && { last }) }, isOver, outcome: state?.outcome ?? null };
}
