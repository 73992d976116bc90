/**
 * The dialog in which a position is set up: a board, the pieces to put on it, the side to move, the rights to castle, what may
 * be captured en passant, and all of it as a FEN. Loaded on demand, with its style sheet.
 *
 * A tap puts the chosen piece on a square, or takes it away where it stands, and at first moves the pieces that are there; a drag
 * moves a piece always, or off the board. A FEN that is typed or pasted shows on the board, and is loaded as it stands, with its
 * counters. Whether the position is possible the server says. What it says has a place of its own, which stays once it was
 * needed: the next tap finds the board where it was.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { START_FEN } from "../../chess/position";
import { type Color, type Piece, ROLES, type Square, nameOf, other } from "../../chess/square";
import { looksLikeFen } from "../../state/analysis/analysis";
import {
  CORNERS,
  type SetUp,
  castlingName,
  cleared,
  colorOf,
  fenOfSetUp,
  mayCastle,
  passedIn,
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
/** A piece to put down, or what moves pieces or takes them away. */
type Tool = Piece | "move" | "bin";

const NO_MARKS = { lastMove: [], check: null, selected: null, targets: [], premoves: [] };

interface Props {
  /** The position to begin with. */
  readonly fen: string;
  readonly bottom: Color;
  /** Opens a position, with this side at the bottom. Why that cannot be done; empty if it could. */
  load(fen: string, bottom: Color): Promise<string>;
  close(): void;
}

export function SetUpDialog({ fen, bottom: first, load, close }: Props) {
  const { analysis, board, sides } = useText();
  const { setUp: words } = analysis;
  const coordinates = useApp((app) => app.settings.coordinates);
  const [setUp, set] = useState(() => setUpOf(fen));
  const [typed, type] = useState<string | null>(null);
  const [bottom, turn] = useState(first);
  const [tool, setTool] = useState<Tool>("move");
  const [selected, select] = useState<Square | null>(null);
  const [wrong, setWrong] = useState("");
  const [wasWrong, keepRoom] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const alert = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (wrong === "") return;
    keepRoom(true);
    alert.current?.scrollIntoView({ block: "nearest" });
  }, [wrong]);
  const change = (by: (old: SetUp) => SetUp): void => {
    set(by);
    type(null);
    setWrong("");
  };
  const read = (given: string): void => {
    change((old) => (looksLikeFen(given) ? setUpOf(given) : old));
    type(given);
  };
  const shown = typed ?? fenOfSetUp(setUp);
  const choose = (next: Tool): void => {
    setTool(next);
    select(null);
  };
  const press = (square: Square): void => {
    if (tool !== "move") change((old) => withPiece(old, square, tool === "bin" ? null : tool));
    else if (selected === null || !setUp.board[selected]) select(setUp.board[square] ? square : null);
    else {
      change((old) => withMoved(old, selected, square));
      select(null);
    }
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setWrong(await load(shown, bottom));
    setBusy(false);
  };
  return (
    <Dialog title={words.open} class="set-up" close={close}>
      <form onSubmit={(event) => void submit(event)}>
        <Palette tool={tool} choose={choose} />
        <Board
          position={positionOf(setUp)}
          bottom={bottom}
          marks={{ ...NO_MARKS, selected }}
          movable="both"
          promoting={null}
          coordinates={coordinates}
          animation={false}
          ply={0}
          hint={words.hint}
          tap={press}
          enter={press}
          take={() => undefined}
          drop={(from, to) => {
            select(null);
            change((old) => withMoved(old, from, to));
          }}
          cancel={close}
          cancelPremoves={() => false}
          step={() => undefined}
          promote={() => undefined}
        />
        <div class="set-up-turn">
          <Segments
            legend={words.turn}
            name="turn"
            of={COLORS}
            show={(color) => sides[color]}
            isChosen={(color) => setUp.turn === color}
            choose={(color) => change((old) => ({ ...old, turn: color }))}
          />
          <button type="button" aria-label={board.flip} title={board.flip} onClick={() => turn(other(bottom))}>
            <Icon name="flip" />
          </button>
        </div>
        <Castling setUp={setUp} change={change} />
        <EnPassant setUp={setUp} change={change} />
        <label class="set-up-fen">
          <span>FEN</span>
          <input
            type="text"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            value={shown}
            aria-invalid={wrong !== "" && typed !== null}
            onFocus={(event) => event.currentTarget.select()}
            onInput={(event) => read(event.currentTarget.value)}
          />
        </label>
        <p class={`wrong ${wasWrong ? "has-room" : ""}`} role="alert" ref={alert}>
          {wrong}
        </p>
        <div class="set-up-buttons">
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
            {words.use}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface PaletteProps {
  readonly tool: Tool;
  choose(tool: Tool): void;
}

function Palette({ tool, choose }: PaletteProps) {
  const { analysis, board, sides, roles } = useText();
  const { setUp: words } = analysis;
  const isTool = (color: Color, role: string): boolean =>
    typeof tool === "object" && tool.color === color && tool.role === role;
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
      {(["move", "bin"] as const).map((one) => (
        <label key={one} class={one} title={words[one]}>
          <input type="radio" name="tool" aria-label={words[one]} checked={tool === one} onChange={() => choose(one)} />
          {one === "bin" ? <Icon name="bin" /> : <Arrows />}
        </label>
      ))}
    </fieldset>
  );
}

/** To all four sides: what moves. */
const Arrows = () => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d="M12 3v18M3 12h18M9 6l3-3 3 3M9 18l3 3 3-3M6 9l-3 3 3 3M18 9l3 3-3 3" />
  </svg>
);

interface RightsProps {
  readonly setUp: SetUp;
  change(by: (old: SetUp) => SetUp): void;
}

/** A right that king and rook do not stand for cannot be granted. */
function Castling({ setUp, change }: RightsProps) {
  const { analysis, sides } = useText();
  const rightOf = (corner: Square): string => `${sides[colorOf(corner)]} ${castlingName(corner)}`;
  const { castling } = positionOf(setUp);
  return (
    <fieldset class="segments rights">
      <legend class="visually-hidden">{analysis.setUp.castling}</legend>
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
          <span aria-hidden="true">
            <i class={`disc ${colorOf(corner)}`} />
            {castlingName(corner)}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Where no pawn can have passed a square there is nothing to choose. */
function EnPassant({ setUp, change }: RightsProps) {
  const words = useText().analysis.setUp;
  const squares = passedIn(setUp);
  if (squares.length === 0) return null;
  return (
    <Segments
      legend={words.enPassant}
      name="en-passant"
      of={[null, ...squares]}
      show={(square) => (square === null ? words.noEnPassant : nameOf(square))}
      isChosen={(square) => positionOf(setUp).enPassant === square}
      choose={(enPassant) => change((old) => ({ ...old, enPassant }))}
    />
  );
}
