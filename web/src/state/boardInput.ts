/**
 * The state of one board that only this page knows: the selected piece, premoves, the promotion dialog, the ply shown,
 * the side at the bottom, the move that waits for its player's confirmation, and the one that waits for the server's.
 *
 * Pure. Legal moves are the server's list and nothing is added to it. Premoves are in `state/premove`.
 */
import { type Position, castlingOf, play } from "../chess/position";
import { reach } from "../chess/reach";
import { type Color, type Role, type Square, rankOf, readUci, writeUci } from "../chess/square";
import { type WithPremoves, aheadOf, endLastPremove, endPremoves, setPremove, takePremove } from "./premove";
import type { Settings } from "./settings";

/** A move for the position after event `on`. */
export interface MoveOn {
  readonly on: number;
  readonly uci: string;
}

export interface BoardInput extends WithPremoves {
  readonly flipped: boolean;
  /** The ply that is shown; null: the current position. */
  readonly cursor: number | null;
  readonly selected: Square | null;
  readonly promoting: { readonly from: Square; readonly to: Square } | null;
  /** The move that is drawn, and sent when its player says so. */
  readonly confirming: MoveOn | null;
  readonly sent: MoveOn | null;
  /** The premove that was not legal when its turn came, in that turn. */
  readonly dropped: MoveOn | null;
  /** After which event premoves were taken away last: it is told until the next one. */
  readonly cancelledOn: number | null;
  /** The move of the proof that is shown; null: the proof is not open. */
  readonly proof: number | null;
}

export const NO_INPUT: BoardInput = {
  flipped: false,
  cursor: null,
  selected: null,
  premoves: [],
  promoting: null,
  confirming: null,
  sent: null,
  dropped: null,
  cancelledOn: null,
  proof: null,
};

/** What input means now: a legal move, a premove, or nothing. */
export type InputMode =
  | {
      readonly kind: "move";
      readonly legal: readonly string[];
      readonly color: Color;
      readonly autoQueen?: boolean;
      /** The event whose position the move is for, if the player confirms it first. */
      readonly confirmOn?: number;
    }
  | {
      readonly kind: "premove";
      readonly color: Color;
      readonly autoQueen?: boolean;
      /** Whether premoves follow each other and are drawn ahead; else one replaces the other. */
      readonly several?: boolean;
    }
  | { readonly kind: "look" };

export interface InputResult {
  readonly input: BoardInput;
  /** A complete move to send now. */
  readonly play?: string;
  /** The one premove was to be continued, and is kept as it is. */
  readonly isKept?: true;
}

/** The position to draw: with the unconfirmed move already played, and premoves drawn ahead where they follow each other. */
export function displayed(position: Position, input: BoardInput, on: number, isAhead = false): Position {
  const move = [input.sent, input.confirming].find((one) => one?.on === on);
  const now = move ? play(position, move.uci) : position;
  return isAhead ? aheadOf(now, input.premoves) : now;
}

/** The squares to mark to which the selected piece may go; none where that is switched off. */
export function markedTargets(
  position: Position,
  mode: InputMode,
  selected: Square | null,
  { legalMoves }: Pick<Settings, "legalMoves">,
): Square[] {
  return selected === null || !legalMoves ? [] : targets(position, mode, selected);
}

/** The squares that the piece on `from` can go to. Castling is offered on the king's target and on the rook. */
export function targets(position: Position, mode: InputMode, from: Square): Square[] {
  const piece = position.board[from];
  if (mode.kind === "look" || !piece || piece.color !== mode.color) return [];
  if (mode.kind === "premove") return reach(position, from);
  const found = new Set<Square>();
  for (const uci of mode.legal) {
    const move = readUci(uci);
    if (move?.from !== from) continue;
    found.add(move.to);
    const castles = castlingOf(position, move.from, move.to);
    if (castles) {
      found.add(castles.rook);
      if (castles.kingTo !== from && position.board[castles.kingTo]?.color !== piece.color) found.add(castles.kingTo);
    }
  }
  return [...found];
}

function isPromotion(position: Position, from: Square, to: Square): boolean {
  const piece = position.board[from];
  return piece?.role === "p" && rankOf(to) === (piece.color === "white" ? 7 : 0);
}

/** The UCI move between two squares as the server writes it, or null if it is not legal. */
function moveOf(position: Position, mode: InputMode, from: Square, to: Square, promotion: Role | null): string | null {
  const uci = writeUci(from, to, promotion);
  if (mode.kind === "premove") return uci;
  if (mode.kind !== "move") return null;
  if (mode.legal.includes(uci)) return uci;
  // Castling by its other target square.
  const aimed = (text: string): boolean => {
    const move = readUci(text);
    const castles = move?.from === from ? castlingOf(position, move.from, move.to) : null;
    return castles !== null && (castles.rook === to || castles.kingTo === to);
  };
  return mode.legal.find(aimed) ?? null;
}

/** A complete move: played, drawn for its player to confirm, or set as a premove. */
export function commit(input: BoardInput, mode: InputMode, uci: string): InputResult {
  const cleared = { ...input, selected: null, promoting: null };
  if (mode.kind === "premove") return { input: setPremove(cleared, uci, mode.several ?? false) };
  const ready = endPremoves(cleared);
  if (mode.kind === "move" && mode.confirmOn !== undefined)
    return { input: { ...ready, confirming: { on: mode.confirmOn, uci } } };
  return { input: { ...ready, confirming: null }, play: uci };
}

/** The player confirms the move that is drawn. */
export function confirm(input: BoardInput): InputResult {
  const { confirming } = input;
  return confirming ? { input: { ...input, confirming: null }, play: confirming.uci } : { input };
}

/** A move by drag or by two taps. A promotion opens the dialog first, unless it is always a queen. */
export function attempt(input: BoardInput, position: Position, mode: InputMode, from: Square, to: Square): InputResult {
  const unselected = { ...input, selected: null };
  if (mode.kind === "look" || !targets(position, mode, from).includes(to)) return { input: unselected };
  const promotes = isPromotion(position, from, to);
  if (promotes && !mode.autoQueen) return { input: { ...unselected, promoting: { from, to } } };
  const uci = moveOf(position, mode, from, to, promotes ? "q" : null);
  return uci === null ? { input: unselected } : commit(input, mode, uci);
}

/**
 * A tap or Enter on a square: selects, deselects, moves, or cancels a move that is not confirmed. Where one premove is kept, a tap
 * beside one's pieces cancels it; whoever presses the square that it leads to means its piece, which is still drawn where it
 * stands. With several a tap takes none away, but for a second tap on the piece where the last one leads.
 */
export function tap(input: BoardInput, position: Position, mode: InputMode, square: Square): InputResult {
  if (input.confirming) return { input: { ...input, confirming: null } };
  if (mode.kind === "look") return { input };
  const { selected } = input;
  if (selected !== null && selected !== square && targets(position, mode, selected).includes(square))
    return attempt(input, position, mode, selected, square);
  const isOwn = position.board[square]?.color === mode.color;
  if (mode.kind === "premove" && !mode.several && !isOwn) {
    if (isGoal(input.premoves, square)) return { input: { ...input, selected: null }, isKept: true };
    if (selected === null) return { input: endPremoves(input) };
  }
  // Of several premoves the next one begins with a tap on a piece, and a second tap on it takes the one back that led there.
  if (mode.kind === "premove" && mode.several && selected === square && isGoal(input.premoves.slice(-1), square))
    return { input: endLastPremove({ ...input, selected: null }) };
  return { input: select(input, position, mode, square) };
}

function isGoal([premove]: readonly string[], square: Square): boolean {
  return premove !== undefined && readUci(premove)?.to === square;
}

/** Selects the piece on a square, or deselects it. */
export function select(input: BoardInput, position: Position, mode: InputMode, square: Square): BoardInput {
  const own = mode.kind !== "look" && position.board[square]?.color === mode.color;
  return { ...input, selected: own && input.selected !== square ? square : null };
}

/** Completes a promotion; null cancels it. */
export function promote(input: BoardInput, position: Position, mode: InputMode, role: Role | null): InputResult {
  const { promoting } = input;
  if (!promoting || role === null) return { input: { ...input, promoting: null } };
  const uci = moveOf(position, mode, promoting.from, promoting.to, role);
  return uci === null ? { input: { ...input, promoting: null } } : commit(input, mode, uci);
}

/** Cancels one thing: the promotion, else the selection, else the move that is not confirmed, else the last premove. */
export function cancel(input: BoardInput): BoardInput {
  if (input.promoting) return { ...input, promoting: null };
  if (input.selected !== null) return { ...input, selected: null };
  if (input.confirming) return { ...input, confirming: null };
  return endLastPremove(input);
}

/** Cancels everything that was begun. */
export function cancelAll(input: BoardInput): BoardInput {
  return { ...endPremoves(input), selected: null, promoting: null, confirming: null };
}

export function flip(input: BoardInput): BoardInput {
  return { ...input, flipped: !input.flipped };
}

/** Shows a ply of the game; the last one means the current position. */
export function stepTo(input: BoardInput, ply: number, plyCount: number): BoardInput {
  const cursor = ply >= plyCount ? null : Math.max(0, ply);
  return { ...input, cursor, selected: null, promoting: null, proof: null };
}

/** Shows a move of the proof: 0 is the final position of the game; null closes the proof. */
export function proveTo(input: BoardInput, move: number | null, length: number): BoardInput {
  return { ...input, cursor: null, proof: move === null ? null : Math.min(length, Math.max(0, move)) };
}

/** The position has changed to that after event `on`: moves for an earlier one have had their time. */
export function settled(input: BoardInput, on: number): BoardInput {
  const sent = input.sent?.on === on ? input.sent : null;
  const confirming = input.confirming?.on === on ? input.confirming : null;
  const dropped = input.dropped?.on === on ? input.dropped : null;
  const isSame = sent === input.sent && confirming === input.confirming && dropped === input.dropped;
  return isSame ? input : { ...input, sent, confirming, dropped };
}

/**
 * The turn after event `on` has come: the first premove is played if it is legal; if it is not, all are dropped. A piece that was
 * picked up for the next one stays so where several are kept; where one is, it was to replace the one that is played.
 */
export function onTurn(
  input: BoardInput,
  position: Position,
  legal: readonly string[],
  on: number,
  several = false,
): InputResult {
  const begun = input.promoting && position.board[input.promoting.from] ? input.promoting : null;
  const taken = takePremove<BoardInput>({ ...input, sent: null, promoting: begun }, position, legal);
  const selected = several ? input.selected : null;
  if (taken.play !== null) return { input: { ...taken.input, cursor: null, selected }, play: taken.play };
  const [uci] = input.premoves;
  return { input: uci === undefined ? taken.input : { ...taken.input, dropped: { on, uci } } };
}

/** The game is over: the view stays as it is. */
export function clearInput(input: BoardInput): BoardInput {
  return { ...cancelAll(input), sent: null, dropped: null };
}
