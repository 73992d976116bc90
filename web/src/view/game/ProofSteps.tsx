/**
 * Plays a proof on the board, step by step or automatically; each move is read out.
 *
 * Changes nothing of the game; the moves are the server's.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type { GameId } from "#protocol";
import type { Position } from "../../chess/position";
import { proofPositions } from "../../state/proof";
import { proveTo } from "../../state/boardInput";
import { showUci, speakUci } from "../../text/words";
import { useStore, useText } from "../context";
import { Icon } from "../Icon";

const EACH_MS = 900;

interface Props {
  readonly game: GameId;
  readonly moves: readonly string[];
  readonly at: number;
  readonly end: Position;
}

export function ProofSteps({ game, moves, at, end }: Props) {
  const store = useStore();
  const catalogue = useText();
  const text = catalogue.play.proof;
  const [plays, setPlays] = useState(false);
  const all = moves.length;
  const go = (move: number | null): void => store.updateInput(game, (old) => proveTo(old, move, all));
  const before = proofPositions(end, moves.slice(0, Math.max(0, at - 1))).at(-1) ?? end;
  const uci = moves[at - 1];
  const words = (move: string | null): string =>
    move === null ? text.begin(all) : (at === all ? text.mate : text.move)(at, all, move);

  useEffect(() => {
    store.say(words(uci === undefined ? null : speakUci(catalogue, uci, before)));
  }, [at]);
  useEffect(() => {
    if (!plays) return;
    if (at >= all) return setPlays(false);
    const timer = setTimeout(() => go(at + 1), EACH_MS);
    return () => clearTimeout(timer);
  }, [plays, at]);
  const start = useRef<HTMLButtonElement>(null);
  useEffect(() => start.current?.focus(), []);

  const step = (label: string, icon: "first" | "back" | "forward" | "last", to: number) => (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={() => {
        setPlays(false);
        go(to);
      }}
    >
      <Icon name={icon} />
    </button>
  );
  return (
    <div class="status proving" role="group" aria-label={text.title}>
      <p>{words(uci === undefined ? null : showUci(catalogue, uci, before))}</p>
      <div class="steps">
        {step(text.first, "first", 0)}
        {step(text.previous, "back", at - 1)}
        {step(text.next, "forward", at + 1)}
        {step(text.last, "last", all)}
      </div>
      <button
        type="button"
        class="primary"
        ref={start}
        onClick={() => {
          if (at >= all) go(0);
          setPlays(!plays);
        }}
      >
        {plays ? text.pause : text.play}
      </button>
      <button type="button" onClick={() => go(null)}>
        {text.back}
      </button>
    </div>
  );
}
