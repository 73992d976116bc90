/**
 * The board: one grid of 64 cells for display, pointer input and screen readers.
 *
 * One structure for all three, so that what is read out is what is shown. It knows no rules and no game: positions,
 * marks and handlers are props.
 */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Position } from "../../chess/position";
import { type Color, type Role, type Square, fileOf, nameOf, rankOf, squareAt } from "../../chess/square";
import { useText } from "../context";
import { listen } from "./drag";
import { glide } from "./motion";
import { PieceImage } from "./pieces";
import { PromotionChoice } from "./PromotionChoice";

export interface Marks {
  readonly lastMove: readonly Square[];
  readonly check: Square | null;
  readonly selected: Square | null;
  readonly targets: readonly Square[];
  readonly premove: readonly Square[];
}

export interface BoardProps {
  readonly position: Position;
  readonly bottom: Color;
  readonly marks: Marks;
  /** Whose pieces can be moved. */
  readonly movable: Color | null;
  readonly promoting: { readonly from: Square; readonly to: Square } | null;
  tap(square: Square): void;
  take(square: Square): void;
  drop(from: Square, to: Square | null): void;
  cancel(): void;
  promote(role: Role | null): void;
}

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

export function Board(props: BoardProps) {
  const { position, bottom, marks, promoting } = props;
  const text = useText();
  const board = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<Square>(bottom === "white" ? 12 : 52);
  const flipped = bottom === "black";
  const latest = useRef(props);
  latest.current = props;
  const dropped = useRef(false);

  useEffect(() => {
    if (!board.current) return;
    return listen(board.current, () => ({
      mayTake: (square) =>
        latest.current.movable !== null && latest.current.position.board[square]?.color === latest.current.movable,
      tapped: (square) => latest.current.tap(square),
      taken: (square) => latest.current.take(square),
      dropped: (from, to) => {
        dropped.current = true;
        latest.current.drop(from, to);
      },
    }));
  }, []);

  const before = useRef(position);
  useLayoutEffect(() => {
    if (board.current && before.current !== position && !dropped.current)
      glide(board.current, before.current, position, flipped);
    before.current = position;
    dropped.current = false;
  }, [position]);

  const keys = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    let next: Square | null = null;
    if (step)
      next = squareAt(fileOf(focused) + step[0] * (flipped ? -1 : 1), rankOf(focused) + step[1] * (flipped ? -1 : 1));
    else if (event.key === "Home") next = squareAt(flipped ? 7 : 0, rankOf(focused));
    else if (event.key === "End") next = squareAt(flipped ? 0 : 7, rankOf(focused));
    else if (event.key === "Enter" || event.key === " ") props.tap(focused);
    else if (event.key === "Escape") props.cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
    if (next === null) return;
    setFocused(next);
    board.current?.querySelector<HTMLElement>(`[data-square="${next}"]`)?.focus();
  };

  const rows = [0, 1, 2, 3, 4, 5, 6, 7];
  return (
    <div class="board-frame">
      <div
        class="board"
        role="grid"
        ref={board}
        aria-label={text.board.label(text.sides[bottom])}
        aria-describedby="board-hint"
        data-flipped={flipped}
        onKeyDown={keys}
      >
        {rows.map((row) => (
          <div role="row" class="rank" key={row}>
            {rows.map((column) => {
              const square = flipped ? row * 8 + 7 - column : (7 - row) * 8 + column;
              return (
                <Cell
                  key={square}
                  square={square}
                  position={position}
                  marks={marks}
                  focused={focused}
                  focus={setFocused}
                />
              );
            })}
          </div>
        ))}
      </div>
      <Coordinates flipped={flipped} />
      <p id="board-hint" class="visually-hidden">
        {text.board.hint}
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

/** Coordinates lie over the board: inside the cells they would be read out. */
function Coordinates({ flipped }: { flipped: boolean }) {
  const places = [0, 1, 2, 3, 4, 5, 6, 7];
  return (
    <div class="coordinates" aria-hidden="true">
      <div class="ranks">
        {places.map((row) => (
          <span key={row}>{flipped ? row + 1 : 8 - row}</span>
        ))}
      </div>
      <div class="files">
        {places.map((column) => (
          <span key={column}>{"abcdefgh".charAt(flipped ? 7 - column : column)}</span>
        ))}
      </div>
    </div>
  );
}

interface CellProps {
  readonly square: Square;
  readonly position: Position;
  readonly marks: Marks;
  readonly focused: Square;
  focus(square: Square): void;
}

function Cell({ square, position, marks, focused, focus }: CellProps) {
  const text = useText();
  const piece = position.board[square] ?? null;
  const name = nameOf(square);
  const isTarget = marks.targets.includes(square);
  const said = [
    marks.check === square ? text.board.inCheck : "",
    marks.selected === square ? text.board.selected : "",
    isTarget ? text.board.target : "",
    marks.premove.includes(square) ? text.board.premove : "",
    marks.lastMove.includes(square) ? text.board.lastMove : "",
  ].filter(Boolean);
  const classes = [
    "cell",
    (fileOf(square) + rankOf(square)) % 2 === 0 ? "dark" : "light",
    marks.lastMove.includes(square) ? "last" : "",
    marks.check === square ? "check" : "",
    marks.selected === square ? "selected" : "",
    marks.premove.includes(square) ? "premove" : "",
    isTarget ? (piece ? "target taken" : "target") : "",
  ].filter(Boolean);
  return (
    <div
      role="gridcell"
      class={classes.join(" ")}
      data-square={square}
      tabIndex={square === focused ? 0 : -1}
      aria-label={text.board.square(
        name,
        piece ? text.board.piece(text.sides[piece.color], text.roles[piece.role]) : "",
        said.join(", "),
      )}
      aria-selected={marks.selected === square}
      onFocus={() => focus(square)}
    >
      {piece && <PieceImage piece={piece} />}
    </div>
  );
}
