/**
 * How long the awaited first move may take: a number that counts down beside the words whose turn it is. Against a program,
 * which does not mind waiting, it comes for the last seconds only.
 *
 * Only one's own last seconds are read out. What happens when they are over is the server's.
 */
import { useEffect, useState } from "preact/hooks";
import { useStore, useText } from "../context";

/** Then there is reason to hurry: it is coloured, and said. */
const LATE_S = 10;
const LOOK_MS = 200;

interface Props {
  /** When it is late, on the clock of `performance.now()`. */
  readonly by: number;
  readonly isOwn: boolean;
  /** Whether a player is a program. */
  readonly isProgram: boolean;
}

export function FirstMove({ by, isOwn, isProgram }: Props) {
  const store = useStore();
  const text = useText();
  const [left, setLeft] = useState(() => secondsTo(by));
  const isLate = left <= LATE_S;
  useEffect(() => {
    setLeft(secondsTo(by));
    const timer = setInterval(() => setLeft(secondsTo(by)), LOOK_MS);
    return () => clearInterval(timer);
  }, [by]);
  useEffect(() => {
    if (isLate && isOwn) store.say(text.announcements.firstMove(left));
  }, [isLate, isOwn]);
  if (isProgram && !isLate) return null;
  return (
    <>
      {" · "}
      <span class={isLate ? "first-move late" : "first-move"}>{text.game.firstMove(left)}</span>
    </>
  );
}

function secondsTo(at: number): number {
  return Math.max(0, Math.ceil((at - performance.now()) / 1000));
}
