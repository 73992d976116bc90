/** The opponent is away: the time until the game can be claimed, then the claims. */
import { useEffect, useState } from "preact/hooks";
import type { Game } from "../../state/game";
import { useStore, useText } from "../context";

export function Absence({ game, at }: { game: Game; at: number }) {
  const store = useStore();
  const text = useText();
  const [left, setLeft] = useState(() => secondsTo(at));
  useEffect(() => {
    setLeft(secondsTo(at));
    const timer = setInterval(() => setLeft(secondsTo(at)), 250);
    return () => clearInterval(timer);
  }, [at]);
  const claim = (result: "win" | "draw") => (): void => void store.send({ t: "claim_absence", d: { game: game.id, result } });
  return (
    <div class="status offer" role="group" aria-label={text.game.absence}>
      <p>
        {text.game.absence} {left > 0 && text.game.absenceIn(left)}
      </p>
      {left <= 0 && (
        <>
          <button type="button" class="primary" onClick={claim("win")}>
            {text.game.absenceWin}
          </button>
          <button type="button" onClick={claim("draw")}>
            {text.game.absenceDraw}
          </button>
        </>
      )}
    </div>
  );
}

function secondsTo(at: number): number {
  return Math.max(0, Math.ceil((at - performance.now()) / 1000));
}
