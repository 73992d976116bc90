/** What a piece is drawn of, on 48 by 48. Colours come from style, so light and dark pages and both sides share it. */
import type { Role } from "../../../chess/square";

export interface PieceShape {
  /** Outlines, filled; a later one covers an earlier one. */
  readonly body: readonly string[];
  /** Parts of the body in the shade. The outlines lie above them. */
  readonly shades?: readonly string[];
  /** Lines upon the body. */
  readonly lines: readonly string[];
  readonly dots: readonly { readonly x: number; readonly y: number; readonly r: number }[];
  /** Whether the letter of the piece stands upon the body. */
  readonly lettered?: boolean;
}

export type PieceShapes = Readonly<Record<Role, PieceShape>>;
