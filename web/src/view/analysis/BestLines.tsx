/**
 * The best moves in the position shown, each with its score and what follows. Pressed, a line is added
 * to the moves. In a row each ends after a whole move, with "…" if it goes on; unfolded, all of them
 * are there and whole. Together they fill one room, however many they are, so what stands below keeps
 * its place; a line that is still searched for is an outline.
 *
 * A press on a move of a line adds the moves up to it and leads there; a mouse over it, and a finger that stays on it, show the
 * position before that. A press beside the moves, and a key, add the whole line and lead to its first move.
 */
import { useRef, useState } from "preact/hooks";
import type { BestLine } from "#protocol";
import { type Position, play, writeFen } from "../../chess/position";
import type { Color } from "../../chess/square";
import { numbered } from "../../state/analysis/bestLines";
import type { NewMove } from "../../state/analysis/tree";
import { showWorth, speakWorth } from "../../state/analysis/worth";
import { showSan, speakSan } from "../../text/words";
import { useText } from "../context";
import { MiniBoard } from "../board/MiniBoard";
import { Icon } from "../Icon";

interface Props {
  /** The best one first; empty until one is known. */
  readonly lines: readonly BestLine[];
  /** How many more the search will find. */
  readonly awaited: number;
  /** The position in which they begin. */
  readonly from: Position;
  readonly bottom: Color;
  readonly isUnfolded: boolean;
  unfold(isUnfolded: boolean): void;
  /** Adds moves, and plays the first one or so many of them. */
  add(moves: readonly NewMove[], plays?: number): void;
}

export function BestLines({ lines, awaited, from, bottom, isUnfolded, unfold, add }: Props) {
  const text = useText();
  const { evaluation: words } = text.analysis;
  const at = writeFen(from);
  const [looked, look] = useState<{ readonly at: string; readonly moves: readonly NewMove[] } | null>(null);
  const previewed = looked?.at === at ? looked.moves : null;
  const hold = useHold(() => look(null));
  const press = ({ target, detail }: MouseEvent, moves: readonly NewMove[]): void => {
    // A key presses without a pointer, which its detail says.
    if (detail > 0 && hold.wasHeld()) return;
    const last = plyOf(target);
    if (last > 0) add(moves.slice(0, last), last);
    else add(moves);
  };
  const lookAt = (event: PointerEvent, moves: readonly NewMove[]): void => {
    if (event.pointerType === "mouse") look({ at, moves });
  };
  const touch = ({ pointerType, target }: PointerEvent, moves: readonly NewMove[]): void => {
    const last = plyOf(target);
    if (pointerType === "touch" && last > 0) hold.begin(() => look({ at, moves: moves.slice(0, last) }));
  };
  return (
    <div class={`best-lines ${isUnfolded ? "unfolded" : ""}`}>
      <ol aria-label={words.lines} onPointerLeave={() => look(null)}>
        {lines.map((line) => {
          const shown = line.moves.map(({ san }) => showSan(text, san));
          const spoken = line.moves.map(({ san }) => speakSan(text, san)).join(", ");
          return (
            <li key={line.moves[0]?.uci}>
              <button
                type="button"
                title={words.add}
                onClick={(event) => press(event, line.moves)}
                onPointerDown={(event) => touch(event, line.moves)}
                onPointerUp={hold.end}
                onPointerCancel={hold.end}
                onContextMenu={(event) => hold.isHeld() && event.preventDefault()}
              >
                <strong aria-hidden="true" onPointerEnter={() => look(null)}>
                  {showWorth(text, line)}
                </strong>
                <span class="line-moves" aria-hidden="true">
                  {numbered(from, shown).flatMap((move, index) => [
                    index > 0 && (isUnfolded ? " " : BREAK),
                    <span
                      key={index}
                      data-ply={index + 1}
                      onPointerEnter={(event) => lookAt(event, line.moves.slice(0, index + 1))}
                    >
                      {move}
                    </span>,
                  ])}
                </span>
                <span class="visually-hidden">{words.line(speakWorth(text, line), spoken)}</span>
              </button>
            </li>
          );
        })}
        <AwaitedLines count={awaited} />
      </ol>
      <button
        type="button"
        class="unfold"
        title={words.unfold}
        aria-label={words.unfold}
        aria-expanded={isUnfolded}
        onClick={() => unfold(!isUnfolded)}
      >
        <Icon name="unfold" />
      </button>
      {previewed && <Preview from={from} moves={previewed} bottom={bottom} />}
    </div>
  );
}

/** Between moves in a row: where it ends there, a soft hyphen is seen, as the "…" that the style sheet makes of it. */
const BREAK = "\u00ad\u00a0";

/** The move of a line that an event is about, from 1; 0 beside them. */
const plyOf = (target: EventTarget | null): number =>
  target instanceof HTMLElement ? Number(target.dataset.ply ?? 0) : 0;

/** So long a finger stays where it is meant. */
const HOLD_MS = 400;

/** A finger that stays: something is done after a while, and undone at its end, which is no press. */
function useHold(undo: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const held = useRef(false);
  return {
    begin: (act: () => void): void => {
      held.current = false;
      timer.current = setTimeout(() => {
        held.current = true;
        act();
      }, HOLD_MS);
    },
    end: (): void => {
      clearTimeout(timer.current);
      if (held.current) undo();
    },
    isHeld: (): boolean => held.current,
    /** For the press that follows. */
    wasHeld: (): boolean => {
      const was = held.current;
      held.current = false;
      return was;
    },
  };
}

/** The position after moves of a line. */
function Preview({ from, moves, bottom }: Pick<Props, "from" | "bottom"> & { readonly moves: readonly NewMove[] }) {
  const position = moves.reduce((before, { uci }) => play(before, uci), from);
  return (
    <div class="line-preview">
      <MiniBoard fen={writeFen(position)} last={moves.at(-1)?.uci} bottom={bottom} />
    </div>
  );
}

/** The room of lines that are searched for: the words below say so. */
export function AwaitedLines({ count }: { readonly count: number }) {
  return (
    <>
      {Array.from({ length: count }, (_, at) => (
        <li class="awaited" key={`awaited ${at}`} aria-hidden="true" />
      ))}
    </>
  );
}
