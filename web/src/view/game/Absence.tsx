/**
 * The opponent is away: shows the time until the game can be claimed, then the claims alone, in one line. Both are as high as
 * the status line: what stands below it does not move under a finger.
 *
 * Short absences, as at the start of a game or on a reload, are not shown, so that the page does not jump.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Game } from "zeitnot-client";
import { useStore, useText } from "../context";
import { useLasts } from "../now";

const SHOWN_AFTER_MS = 1_000;

interface Props {
  readonly game: Game;
  readonly at: number;
  /** Shown until then. */
  readonly children: ComponentChildren;
}

export function Absence({ game, at, children }: Props) {
  const store = useStore();
  const text = useText();
  const lasts = useLasts(SHOWN_AFTER_MS, at);
  const [left, setLeft] = useState(() => secondsTo(at));
  useEffect(() => {
    setLeft(secondsTo(at));
    const timer = setInterval(() => setLeft(secondsTo(at)), 250);
    return () => clearInterval(timer);
  }, [at]);
  if (!lasts) return <>{children}</>;
  const claim = (result: "win" | "draw") => (): void =>
    void store.send({ t: "claim_absence", d: { game: game.id, result } });
  return (
    <div class="status offer absence" role="group" aria-label={text.game.absence}>
      {left > 0 ? (
        <p>
          {text.game.absence} {text.game.absenceIn(left)}
        </p>
      ) : (
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
