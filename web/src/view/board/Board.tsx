/**
 * The board: one grid of 64 cells for display, pointer input and screen readers.
 *
 * One structure for all three, so that what is read out is what is shown. It knows no rules and no game: positions,
 * marks and handlers are props. It keeps what is nobody else's: the focused square, and arrows and circles.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Position } from "../../chess/position";
import { type Color, type Role, type Square, fileOf, rankOf, squareAt } from "../../chess/square";
import { type Drawing, toggleDrawing } from "../../state/drawing";
import { useText } from "../context";
import { hasModifier } from "../modifiers";
import { Cell } from "./Cell";
import { Coordinates } from "./Coordinates";
import { Drawings } from "./Drawings";
import { listenToDrags } from "./drag";
import { listenToDrawing } from "./draw";
import { type Marks, labelOf, marksOn, premovesTo } from "./squareMarks";
import { glide } from "./motion";
import { PromotionChoice } from "./PromotionChoice";
import { listenToWheel } from "./wheel";

export interface BoardProps {
  readonly position: Position;
  readonly bottom: Color;
  readonly marks: Marks;
  /** Whose pieces can be moved. */
  readonly movable: Color | "both" | null;
  readonly promoting: { readonly from: Square; readonly to: Square } | null;
  readonly coordinates: boolean;
  readonly animation: boolean;
  /** Arrows and circles are of one ply, and go with it. */
  readonly ply: number;
  /** Arrows and circles of the page's own, below those of the person. */
  readonly hints?: readonly Drawing[];
  /** What the keys do here, if it is not what they do in a game. */
  readonly hint?: string;
  /** What stands beside the board, and is as high. */
  readonly beside?: ComponentChildren;
  tap(square: Square): void;
  /** Enter or Space on a square. */
  enter(square: Square): void;
  take(square: Square): void;
  drop(from: Square, to: Square | null): void;
  cancel(): void;
  /** Cancels the premoves, and tells whether there were any. */
  cancelPremoves(): boolean;
  step(by: number): void;
  promote(role: Role | null): void;
}

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};
const EIGHT = [0, 1, 2, 3, 4, 5, 6, 7];

export function Board(props: BoardProps) {
  const { position, bottom, marks, promoting } = props;
  const text = useText();
  const board = useRef<HTMLDivElement>(null);
  const hint = useId();
  const [focused, setFocused] = useState<Square>(bottom === "white" ? 12 : 52);
  const flipped = bottom === "black";
  const { hover, drawings, preview } = usePointer(board, props);

  const keys = (event: KeyboardEvent): void => {
    if (hasModifier(event)) return;
    const step = STEPS[event.key];
    let next: Square | null = null;
    if (step)
      next = squareAt(fileOf(focused) + step[0] * (flipped ? -1 : 1), rankOf(focused) + step[1] * (flipped ? -1 : 1));
    else if (event.key === "Home") next = squareAt(flipped ? 7 : 0, rankOf(focused));
    else if (event.key === "End") next = squareAt(flipped ? 0 : 7, rankOf(focused));
    else if (event.key === "Enter" || event.key === " ") props.enter(focused);
    else if (event.key === "Escape") props.cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
    if (next === null) return;
    setFocused(next);
    board.current?.querySelector<HTMLElement>(`[data-square="${next}"]`)?.focus();
  };

  return (
    <div class="board-frame">
      <div
        class="board"
        role="grid"
        ref={board}
        aria-label={text.board.label(text.sides[bottom])}
        aria-describedby={hint}
        data-flipped={flipped}
        onKeyDown={keys}
      >
        {EIGHT.map((row) => (
          <div role="row" class="rank" key={row}>
            {EIGHT.map((column) => {
              const square = flipped ? row * 8 + 7 - column : (7 - row) * 8 + column;
              const piece = position.board[square] ?? null;
              return (
                <Cell
                  key={square}
                  square={square}
                  piece={piece}
                  label={labelOf(text, marks, square, piece)}
                  marks={marksOn(marks, square, piece !== null)}
                  premoves={marks.premoves.length > 1 ? premovesTo(marks, square).join(" ") : ""}
                  isSelected={marks.selected === square}
                  isFocusable={square === focused}
                  focus={setFocused}
                />
              );
            })}
          </div>
        ))}
      </div>
      {props.coordinates && <Coordinates flipped={flipped} />}
      <div class="hover-mark" ref={hover} aria-hidden="true" />
      <Drawings drawings={[...(props.hints ?? []), ...drawings]} preview={preview} flipped={flipped} />
      {props.beside}
      <p id={hint} class="visually-hidden">
        {props.hint ?? text.board.hint}
      </p>
      {promoting && (
        <PromotionChoice
          color={position.board[promoting.from]?.color ?? bottom}
          to={promoting.to}
          flipped={flipped}
          choose={props.promote}
        />
      )}
    </div>
  );
}

/** Listens to mouse, pen, finger and wheel, glides pieces that did not come by a drag, and keeps what is drawn. */
function usePointer(board: { readonly current: HTMLDivElement | null }, props: BoardProps) {
  const hover = useRef<HTMLDivElement>(null);
  const [drawings, setDrawings] = useState<readonly Drawing[]>([]);
  const [preview, setPreview] = useState<Drawing | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const dropped = useRef(false);

  useEffect(() => {
    if (!board.current || !hover.current) return;
    const stops = [
      listenToDrags(board.current, hover.current, {
        mayTake: (square) => {
          const { movable, position } = latest.current;
          const color = position.board[square]?.color;
          return color !== undefined && (movable === "both" || movable === color);
        },
        pressed: () => setDrawings((old) => (old.length ? [] : old)),
        tapped: (square) => latest.current.tap(square),
        taken: (square) => latest.current.take(square),
        dropped: (from, to) => {
          dropped.current = true;
          latest.current.drop(from, to);
        },
      }),
      listenToDrawing(board.current, {
        mayBegin: () => !latest.current.cancelPremoves(),
        previewed: setPreview,
        drawn: (drawing) => setDrawings((old) => toggleDrawing(old, drawing)),
      }),
      listenToWheel(board.current, (by) => latest.current.step(by)),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);

  useEffect(() => setDrawings((old) => (old.length ? [] : old)), [props.ply]);

  const { position, bottom, animation } = props;
  const before = useRef(position);
  useLayoutEffect(() => {
    if (animation && board.current && before.current !== position && !dropped.current)
      glide(board.current, before.current, position, bottom === "black");
    before.current = position;
    dropped.current = false;
  }, [position]);

  return { hover, drawings, preview };
}
