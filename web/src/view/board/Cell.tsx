/** One square of the board. It renders again only when something on it changes: a drag touches few of the 64. */
import { Component } from "preact";
import { type Piece, type Square, fileOf, rankOf } from "../../chess/square";
import { PieceImage } from "./pieces";

export interface CellProps {
  readonly square: Square;
  readonly piece: Piece | null;
  readonly label: string;
  /** The marks on the square, as classes in `style/board.css`. */
  readonly marks: string;
  /** Which of the premoves end here, such as `2`; empty for none. */
  readonly premoves: string;
  readonly isSelected: boolean;
  readonly isFocusable: boolean;
  focus(square: Square): void;
}

const SIMPLE = ["square", "label", "marks", "premoves", "isSelected", "isFocusable", "focus"] as const;

export class Cell extends Component<CellProps> {
  override shouldComponentUpdate(next: CellProps): boolean {
    const { piece } = this.props;
    return (
      piece?.role !== next.piece?.role ||
      piece?.color !== next.piece?.color ||
      SIMPLE.some((name) => this.props[name] !== next[name])
    );
  }

  override render() {
    const { square, piece, label, marks, premoves, isSelected, isFocusable, focus } = this.props;
    const shade = (fileOf(square) + rankOf(square)) % 2 === 0 ? "dark" : "light";
    return (
      <div
        role="gridcell"
        class={marks ? `cell ${shade} ${marks}` : `cell ${shade}`}
        data-square={square}
        tabIndex={isFocusable ? 0 : -1}
        aria-label={label}
        aria-selected={isSelected}
        onFocus={() => focus(square)}
      >
        {piece && <PieceImage piece={piece} />}
        {premoves !== "" && (
          <span class="premove-number" aria-hidden="true">
            {premoves}
          </span>
        )}
      </div>
    );
  }
}
