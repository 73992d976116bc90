/**
 * The dialog in which a position is set up: a board, the pieces to put on it, the side to move and the rights to castle. Loaded
 * on demand, with its style sheet.
 *
 * A tap puts the chosen piece on a square, or takes it away where it stands; a drag moves a piece, or off the board. Whether the
 * position is possible the server says.
 */
import { useState } from "preact/hooks";
import { START_FEN } from "../../chess/position";
import { type Color, type Piece, ROLES, type Square } from "../../chess/square";
import {
  CORNERS,
  type SetUp,
  castlingName,
  cleared,
  colorOf,
  fenOfSetUp,
  mayCastle,
  positionOf,
  setUpOf,
  withMoved,
  withPiece,
  withRight,
} from "../../state/analysis/setUp";
import { Board } from "../board/Board";
import { PieceImage } from "../board/pieces";
import { useApp, useText } from "../context";
import { Dialog } from "../Dialog";
import { Segments } from "../form/Segments";
import { Icon } from "../Icon";
import "../../style/setUp.css";

const COLORS = ["white", "black"] as const;
const NO_MARKS = { lastMove: [], check: null, selected: null, targets: [], premoves: [] };

interface Props {
  /** The position to begin with. */
  readonly fen: string;
  readonly bottom: Color;
  /** Opens a position. Why that cannot be done; empty if it could. */
  load(fen: string): Promise<string>;
  close(): void;
}

export function SetUpDialog({ fen, bottom, load, close }: Props) {
  const { analysis, board, sides } = useText();
  const { setUp: words } = analysis;
  const coordinates = useApp((app) => app.settings.coordinates);
  const [setUp, set] = useState(() => setUpOf(fen));
  const [tool, choose] = useState<Piece | null>({ color: "white", role: "q" });
  const [wrong, setWrong] = useState("");
  const [isBusy, setBusy] = useState(false);
  const change = (by: (old: SetUp) => SetUp): void => {
    set(by);
    setWrong("");
  };
  const press = (square: Square): void => change((old) => withPiece(old, square, tool));
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setWrong(await load(fenOfSetUp(setUp)));
    setBusy(false);
  };
  return (
    <Dialog title={words.open} class="set-up" close={close}>
      <form onSubmit={(event) => void submit(event)}>
        <Palette tool={tool} choose={choose} />
        <Board
          position={positionOf(setUp)}
          bottom={bottom}
          marks={NO_MARKS}
          movable="both"
          promoting={null}
          coordinates={coordinates}
          animation={false}
          ply={0}
          hint={words.hint}
          tap={press}
          enter={press}
          take={() => undefined}
          drop={(from, to) => change((old) => withMoved(old, from, to))}
          cancel={close}
          cancelPremoves={() => false}
          step={() => undefined}
          promote={() => undefined}
        />
        <Segments
          legend={words.turn}
          name="turn"
          of={COLORS}
          show={(color) => sides[color]}
          isChosen={(color) => setUp.turn === color}
          choose={(turn) => change((old) => ({ ...old, turn }))}
        />
        <Castling setUp={setUp} change={change} />
        <div class="set-up-buttons">
          <p class="wrong" role="alert">
            {wrong}
          </p>
          <button type="button" onClick={() => change(() => setUpOf(START_FEN))}>
            {analysis.startPosition}
          </button>
          <button type="button" onClick={() => change(cleared)}>
            {words.clear}
          </button>
          <button type="button" onClick={close}>
            {board.cancel}
          </button>
          <button type="submit" class="primary" aria-disabled={isBusy}>
            {analysis.open}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface PaletteProps {
  /** The piece to put down; null: what takes pieces away. */
  readonly tool: Piece | null;
  choose(tool: Piece | null): void;
}

function Palette({ tool, choose }: PaletteProps) {
  const { analysis, board, sides, roles } = useText();
  const { setUp: words } = analysis;
  const isTool = (color: Color, role: string): boolean => tool?.color === color && tool.role === role;
  return (
    <fieldset class="palette">
      <legend class="visually-hidden">{words.palette}</legend>
      {COLORS.map((color) =>
        [...ROLES].map((role) => (
          <label key={color + role} title={board.piece(sides[color], roles[role])}>
            <input
              type="radio"
              name="tool"
              aria-label={board.piece(sides[color], roles[role])}
              checked={isTool(color, role)}
              onChange={() => choose({ color, role })}
            />
            <PieceImage piece={{ color, role }} />
          </label>
        )),
      )}
      <label class="bin" title={words.bin}>
        <input type="radio" name="tool" aria-label={words.bin} checked={tool === null} onChange={() => choose(null)} />
        <Icon name="bin" />
      </label>
    </fieldset>
  );
}

interface CastlingProps {
  readonly setUp: SetUp;
  change(by: (old: SetUp) => SetUp): void;
}

/** A right that king and rook do not stand for cannot be granted. */
function Castling({ setUp, change }: CastlingProps) {
  const { analysis, sides } = useText();
  const rightOf = (corner: Square): string => `${sides[colorOf(corner)]} ${castlingName(corner)}`;
  const { castling } = positionOf(setUp);
  return (
    <fieldset class="rights">
      <legend>{analysis.setUp.castling}</legend>
      {CORNERS.map((corner) => (
        <label key={corner} title={rightOf(corner)}>
          <input
            type="checkbox"
            aria-label={rightOf(corner)}
            disabled={!mayCastle(setUp, corner)}
            checked={castling.includes(corner)}
            onChange={(event) => {
              const isGranted = event.currentTarget.checked;
              change((old) => withRight(old, corner, isGranted));
            }}
          />
          <span class={`disc ${colorOf(corner)}`} aria-hidden="true" />
          <span aria-hidden="true">{castlingName(corner)}</span>
        </label>
      ))}
    </fieldset>
  );
}
