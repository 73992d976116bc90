/**
 * What the computer thinks of the positions of a finished game: of each one that was looked at for a moment, and of all
 * of them, in order, if somebody asks for that.
 *
 * The server's allowance is small, so no position is evaluated that nobody has looked at or asked for, and what is known
 * stays in the browser.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type { GameId } from "#protocol";
import { askEvaluation } from "../../net/analysis";
import { waitOf } from "../../net/ask";
import { keepEvaluations, loadEvaluations } from "../../net/keptEvaluations";
import { evaluateAll } from "../../net/wholeGame";
import type { Evaluations } from "../../state/analysis/mistakes";

const LOOKED_AT_MS = 500;

export interface Evaluated {
  readonly known: Evaluations;
  readonly whole: "idle" | "running" | "done" | "rejected";
  start(): void;
  stop(): void;
}

export function useEvaluations(game: GameId | null, ply: number | null, plies: number): Evaluated {
  const [{ of, known }, setKnown] = useState(() => knownOf(game));
  const set = (change: (old: Evaluations) => Evaluations): void =>
    setKnown((old) => (old.of === game ? { of: old.of, known: change(old.known) } : old));
  useEffect(() => {
    if (of !== game) setKnown(knownOf(game));
  }, [of, game]);
  useEffect(() => {
    if (of !== null && Object.keys(known).length > 0) keepEvaluations(localStorage, of, known);
  }, [known]);
  const [whole, setWhole] = useState<Evaluated["whole"]>("idle");
  const run = useRef<AbortController | null>(null);
  useEffect(() => {
    if (game === null || ply === null || known[ply]) return;
    let timer: ReturnType<typeof setTimeout>;
    let isCurrent = true;
    const ask = async (): Promise<void> => {
      const answer = await askEvaluation(game, ply);
      if (answer.kind === "there") set((old) => ({ ...old, [ply]: answer.value }));
      else if (answer.kind !== "rejected" && isCurrent) timer = setTimeout(() => void ask(), waitOf(answer));
    };
    timer = setTimeout(() => void ask(), LOOKED_AT_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [game, ply]);
  useEffect(() => () => run.current?.abort(), [game]);

  const start = async (): Promise<void> => {
    if (game === null || run.current?.signal.aborted === false) return;
    const own = new AbortController();
    run.current = own;
    setWhole("running");
    const end = await evaluateAll({
      plies: Array.from({ length: plies + 1 }, (_, at) => at).filter((at) => !known[at]),
      ask: (at) => askEvaluation(game, at),
      found: (at, evaluation) => set((old) => ({ ...old, [at]: evaluation })),
      pause: (ms) => pauseUnless(own.signal, ms),
      isStopped: () => own.signal.aborted,
    });
    own.abort();
    if (run.current === own) setWhole(end === "stopped" ? "idle" : end);
  };
  const stop = (): void => {
    run.current?.abort();
    setWhole("idle");
  };
  return { known, whole, start: () => void start(), stop };
}

/** What is known of a game before anything is asked for. */
function knownOf(game: GameId | null): { readonly of: GameId | null; readonly known: Evaluations } {
  return { of: game, known: game === null ? {} : loadEvaluations(localStorage, game) };
}

function pauseUnless(signal: AbortSignal, ms: number): Promise<void> {
  return new Promise((over) => {
    const timer = setTimeout(over, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      over();
    });
  });
}
