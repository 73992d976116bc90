/**
 * One side's clock: counts down between messages, and reports passed marks.
 *
 * Its width is that of the longest time that it shows in the game, so that nothing beside it moves.
 * It renders only when its text changes. The figures are the server's; see `state/clock`.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { type Clocks, shown } from "zeitnot-client";
import type { Color } from "../../chess/square";
import { TENTHS_BELOW_MS, clockLength, passed, writeClock } from "../../state/clock";
import { useText } from "../context";

interface Props {
  readonly clocks: Clocks;
  readonly color: Color;
  /** What the clock shows at most. */
  readonly most: number;
  /** The time at an earlier ply of a finished game. */
  readonly past: number | null;
  onMark(mark: number): void;
}

const TICK_MS = 50;

export function ClockView({ clocks, color, most, past, onMark }: Props) {
  const text = useText();
  const look = (): number => past ?? shown(clocks, performance.now())[color];
  const [, setText] = useState("");
  const seen = useRef(look());
  const running = clocks.running === color && past === null;

  useEffect(() => {
    seen.current = look();
    if (!running) return;
    const timer = setInterval(() => {
      const left = look();
      const mark = passed(seen.current, left);
      seen.current = left;
      setText(writeClock(left));
      if (mark !== null) onMark(mark);
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [clocks, running]);

  const left = look();
  // The clock of a side that is out of time keeps its mark when both have stopped.
  const low = left < TENTHS_BELOW_MS && (clocks.running !== null || left <= 0);
  const longest = Math.max(most, clocks[color]);
  return (
    <div
      class={`clock ${clockLength(longest)}${running ? " running" : ""}${low ? " low" : ""}`}
      role="timer"
      aria-label={text.game.clockOf(text.sides[color])}
      data-room={writeClock(longest)}
      data-stands={running ? Math.round(clocks[color]) : undefined}
      data-falls={
        running ? Math.round(performance.timeOrigin + clocks.since + clocks.stands + clocks[color]) : undefined
      }
    >
      {writeClock(left)}
    </div>
  );
}
