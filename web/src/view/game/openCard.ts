/**
 * Whether the card with the result is open. It opens by itself when a player sees the end of the game, and closes when
 * an earlier position is looked at.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Game } from "zeitnot-client";
import type { Color } from "../../chess/square";
import type { CardState } from "./Result";

export function useResultCard(game: Game, seat: Color | null, cursor: number | null): CardState & { close(): void } {
  const [isOpen, set] = useState(false);
  const before = useRef(game.phase);
  useEffect(() => {
    if (game.phase === "ended" && before.current !== "ended" && seat !== null) set(true);
    before.current = game.phase;
  }, [game.phase]);
  useEffect(() => {
    if (cursor !== null) set(false);
  }, [cursor]);
  return { isOpen: isOpen && game.outcome !== null, open: () => set(true), close: () => set(false) };
}
