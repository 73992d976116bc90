/**
 * Grounds for a draw claim: repetitions of a position, and moves without a capture or pawn move; and where the last position
 * stood before.
 *
 * A hint for the player only: the server decides every claim.
 */
import { type Position, play } from "./position";
import { fileOf, rankOf } from "./square";

/** Equal for positions that are the same under article 9.2, except for pinned en passant captures. */
export function positionKey(position: Position): string {
  const board = position.board
    .map((piece) => (piece ? (piece.color === "white" ? piece.role.toUpperCase() : piece.role) : "-"))
    .join("");
  return `${board} ${position.turn} ${[...position.castling].sort((a, b) => a - b).join(",")} ${capturable(position) ? position.enPassant : "-"}`;
}

function capturable(position: Position): boolean {
  const target = position.enPassant;
  if (target === null) return false;
  const from = rankOf(target) === 5 ? -1 : 1;
  return [-1, 1].some((side) => {
    const file = fileOf(target) + side;
    const piece = file < 0 || file > 7 ? null : position.board[(rankOf(target) + from) * 8 + file];
    return piece?.role === "p" && piece.color === position.turn;
  });
}

export interface Ground {
  /** The move that leads to the position; null: the position on the board. */
  readonly uci: string | null;
  readonly rule: "threefold" | "fifty";
  /** Occurrences of the position, or moves of each side without a capture or pawn move. */
  readonly count: number;
}

/** All grounds for a claim now, the position on the board first. */
export function grounds(positions: readonly Position[], legal: readonly string[], afterMove: boolean): Ground[] {
  const now = positions[positions.length - 1];
  if (!now) return [];
  const seen = new Map<string, number>();
  for (const position of positions) {
    const key = positionKey(position);
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  const found: Ground[] = [];
  const look = (position: Position, uci: string | null): void => {
    const count = (seen.get(positionKey(position)) ?? 0) + (uci === null ? 0 : 1);
    if (count >= 3) found.push({ uci, rule: "threefold", count });
    if (position.quiet >= 100) found.push({ uci, rule: "fifty", count: Math.floor(position.quiet / 2) });
  };
  look(now, null);
  if (afterMove) for (const uci of legal) look(play(now, uci), uci);
  return found;
}

/** What a player may claim: with a move that is not made yet too, and by the fifty-move rule. */
export interface ClaimRule {
  readonly withMove: boolean;
  readonly fifty: boolean;
}

/** The grounds for a claim now under the rule of the game. */
export function claimsNow(positions: readonly Position[], legal: readonly string[], rule: ClaimRule): Ground[] {
  return grounds(positions, legal, rule.withMove).filter((ground) => rule.fifty || ground.rule === "threefold");
}

/** Where the last position stands in a game: after so many plies each time, the last one included. */
export function occurrences(positions: readonly Position[]): number[] {
  const last = positions[positions.length - 1];
  return last ? stoodAt(positions, last) : [];
}

/** After how many plies a position stands in a game. */
export function stoodAt(positions: readonly Position[], sought: Position): number[] {
  const key = positionKey(sought);
  return positions.flatMap((position, ply) => (positionKey(position) === key ? [ply] : []));
}
