/**
 * What the computer thinks of the positions of a game that is over and of lines that leave it: of each one that was looked at
 * for a moment, and of all of the game's, from the last one on, if somebody asks for that.
 *
 * The server's allowance is small, so no position is evaluated that nobody has looked at or asked for. What the server has
 * evaluated for others it tells at the beginning. What is known of the game's own positions stays in the browser; of the
 * others, while the page is open. An analysis of the whole game that was left goes on when its page is opened again.
 *
 * What gives the chart of a long game its shape at first is kept apart from what is known: no mistake is found by it.
 */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Evaluation } from "#protocol";
import { askEvaluation, askKnownEvaluations } from "../../net/analysis";
import { type Answer, keepAsking } from "../../net/ask";
import {
  endUnfinished,
  keepEvaluations,
  keepUnfinished,
  loadEvaluations,
  loadUnfinished,
} from "../../net/keptEvaluations";
import { evaluateAll } from "../../net/wholeGame";
import { type Place, keyOf } from "../../state/analysis/analysis";
import { sketchOf } from "../../state/analysis/chart";
import type { Evaluable } from "../../state/analysis/evaluable";
import type { Evaluations } from "../../state/analysis/mistakes";
import { useStore } from "../context";

const LOOKED_AT_MS = 500;

export interface Evaluated {
  /** Of the game's own positions, by ply. */
  readonly known: Evaluations;
  /** Of a few of them, before they are known: for the shape of the chart. */
  readonly sketch: Evaluations;
  /** Whether the server has said what it knows of the game. */
  readonly isAsked: boolean;
  /** Of the position shown; undefined until it is known. */
  readonly now: Evaluation | undefined;
  /** The code with which the server does not evaluate the position shown; null while it may. */
  readonly rejected: string | null;
  /** Whether the analysis of the whole game was left before its end. */
  readonly isLeft: boolean;
  /** How far that is, or the code with which the server rejected it. */
  readonly whole: "idle" | "running" | "done" | { readonly rejected: string };
  start(): void;
  stop(): void;
}

interface Known {
  /** The key of the game. */
  readonly of: string | null;
  readonly known: Evaluations;
  readonly sketch: Evaluations;
  /** Of lines that leave the game, by `keyOf`. */
  readonly aside: Readonly<Record<string, Evaluation>>;
}

export function useEvaluations(evaluable: Evaluable | null, place: Place | null, plies: number): Evaluated {
  const store = useStore();
  const game = evaluable?.key ?? null;
  const [{ of, known, sketch, aside }, setKnown] = useState(() => knownOf(game));
  const [rejected, setRejected] = useState<{ readonly key: string; readonly code: string } | null>(null);
  const key = place && keyOf(place);
  const isOfGame = place?.moves.length === 0;
  const here = of !== game || !place || key === null ? undefined : isOfGame ? known[place.ply] : aside[key];
  const now = here ?? (of === game && isOfGame ? sketch[place.ply] : undefined);
  const found = ({ ply, moves }: Place, evaluation: Evaluation): void =>
    setKnown((old) => {
      if (old.of !== game) return old;
      if (moves.length > 0) return { ...old, aside: { ...old.aside, [keyOf({ ply, moves })]: evaluation } };
      return { ...old, known: { ...old.known, [ply]: evaluation } };
    });
  useEffect(() => {
    if (of !== game) setKnown(knownOf(game));
  }, [of, game]);
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    setAsked(false);
    if (evaluable === null) return;
    let isLeft = false;
    void askKnownEvaluations(evaluable).then((all) => {
      if (isLeft) return;
      setKnown((old) => (old.of === game ? { ...old, known: { ...byPly(all), ...old.known } } : old));
      setAsked(true);
    });
    return () => {
      isLeft = true;
    };
  }, [game]);
  useEffect(() => {
    if (of !== null && Object.keys(known).length > 0) keepEvaluations(localStorage, of, known);
  }, [known]);
  const [whole, setWhole] = useState<Evaluated["whole"]>("idle");
  const isRunning = whole === "running";
  const run = useRef<AbortController | null>(null);
  const left = useMemo(() => (game === null ? null : loadUnfinished(localStorage, game)), [game]);
  /** From this ply of the game on each evaluation knew what follows. */
  const inTurn = useRef(Infinity);
  const shown = useRef<Place | null>(null);
  shown.current = now ? null : place;
  useEffect(() => {
    setRejected(null);
    // What runs through the whole game asks for the position shown before all others: the server answers one at a time.
    if (evaluable === null || place === null || key === null || here || isRunning) return;
    // What has been asked for counts against the allowance, so its answer is kept, wherever one has gone meanwhile.
    const ask = async (): Promise<Answer<Evaluation>> => {
      const answer = await askEvaluation(store, evaluable, place);
      if (answer.kind === "there") found(place, answer.value);
      return answer;
    };
    return keepAsking(LOOKED_AT_MS, ask, (answer) => {
      if (answer.kind === "rejected") setRejected({ key, code: answer.code });
    });
  }, [game, key, isRunning]);
  useEffect(() => {
    inTurn.current = left ?? Infinity;
    return () => run.current?.abort();
  }, [game]);

  const start = async (): Promise<void> => {
    if (evaluable === null || game === null || run.current?.signal.aborted === false) return;
    const own = new AbortController();
    run.current = own;
    let why = "";
    setWhole("running");
    keepUnfinished(localStorage, game, Math.min(inTurn.current, plies + 1));
    const end = await evaluateAll({
      sketch: sketchOf(plies).filter((at) => known[at] === undefined),
      plies: Array.from({ length: plies + 1 }, (_, at) => plies - at).filter(
        (at) => at < inTurn.current || known[at] === undefined,
      ),
      shown: () => shown.current,
      ask: (at) => askEvaluation(store, evaluable, at),
      found: (at, evaluation, isInTurn) => {
        found(at, evaluation);
        if (!isInTurn) return;
        inTurn.current = Math.min(inTurn.current, at.ply);
        if (!own.signal.aborted) keepUnfinished(localStorage, game, inTurn.current);
      },
      sketched: (ply, evaluation) =>
        setKnown((old) => (old.of === game ? { ...old, sketch: { ...old.sketch, [ply]: evaluation } } : old)),
      rejected: (at, code) => {
        setRejected({ key: keyOf(at), code });
        if (at.moves.length === 0) why = code;
      },
      now: () => performance.now(),
      pause: (ms) => pauseUnless(own.signal, ms),
      isStopped: () => own.signal.aborted,
    });
    if (end !== "stopped") endUnfinished(localStorage, game);
    own.abort();
    if (run.current === own) setWhole(end === "rejected" ? { rejected: why } : end === "stopped" ? "idle" : end);
  };
  const stop = (): void => {
    run.current?.abort();
    setWhole("idle");
    if (game !== null) endUnfinished(localStorage, game);
  };
  const isRejected = rejected?.key === key;
  return {
    known,
    sketch,
    isAsked,
    now,
    rejected: isRejected ? rejected.code : null,
    isLeft: left !== null,
    whole,
    start: () => void start(),
    stop,
  };
}

const byPly = (all: readonly Evaluation[]): Evaluations => Object.fromEntries(all.map((one) => [one.ply, one]));

/** What is known of a game before anything is asked for. */
function knownOf(game: string | null): Known {
  return { of: game, known: game === null ? {} : loadEvaluations(localStorage, game), sketch: {}, aside: {} };
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
